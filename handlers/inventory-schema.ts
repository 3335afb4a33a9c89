import { readRecord, toRecord, type InventoryRecord } from './collection-record.ts';

/** What of the Standard Schema interface (version 1) is needed here. */
export interface InventorySchema<Extra extends object = object> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'stockcheck';
    readonly validate: (value: unknown) => ValidationResult<InventoryRecord & Extra>;
    readonly types?: {
      readonly input: InventoryRecord & Extra;
      readonly output: InventoryRecord & Extra;
    };
  };
}

type ValidationResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path: readonly PropertyKey[];
      }[];
    };

/**
 * A schema for a collection of `@msw/data` that holds the inventory, without a schema library.
 * Other fields of a record are kept as they are, unchecked.
 *
 * @example
 * const inventory = new Collection({ schema: inventorySchema<{ name?: string }>() });
 */
export function inventorySchema<Extra extends object = object>(): InventorySchema<Extra> {
  return {
    '~standard': {
      version: 1,
      vendor: 'stockcheck',
      validate(value) {
        if (typeof value !== 'object' || value === null) {
          return { issues: [{ message: 'expected an inventory item', path: [] }] };
        }
        const reading = readRecord(value);
        return reading.ok
          ? { value: { ...(value as Extra), ...toRecord(reading.item) } }
          : { issues: [{ message: reading.message, path: [reading.field] }] };
      },
    },
  };
}
