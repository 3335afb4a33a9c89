/**
 * What of a `Collection` of `@msw/data` is needed here. Its types depend on its schema: `never`
 * stands for whatever that says.
 */
export interface InventoryCollection {
  /** The live records, in their order. */
  all(): readonly object[];
  create(values: never): Promise<object>;
  update(record: never, options: { data: (draft: never) => void }): Promise<object | undefined>;
  delete(record: never): unknown;
  readonly hooks: {
    on(hook: 'delete' | 'update', listener: (event: never) => void): unknown;
  };
}

/** The same, as it is called here. */
export interface OpenCollection {
  all(): readonly object[];
  create(values: Readonly<Record<PropertyKey, unknown>>): Promise<object>;
  update(
    record: object,
    options: { data: (draft: Record<string, unknown>) => void },
  ): Promise<object | undefined>;
  delete(record: object): unknown;
  readonly hooks: {
    on(
      hook: 'delete' | 'update',
      listener: (event: { readonly data: { readonly path?: readonly PropertyKey[] } }) => void,
    ): unknown;
  };
}
