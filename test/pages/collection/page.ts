import { Collection } from '@msw/data';
import { persist } from '@msw/data/extensions/persist';
import { sync } from '@msw/data/extensions/sync';
import { setupWorker } from 'msw/browser';
import { inventoryHandlers, inventorySchema, openCollectionStore } from '../../../handlers/msw.ts';

/** What the tests call in the page. */
export interface CollectionPage {
  /** The list as the API answers it. */
  list(): Promise<string>;
  /** Updates over the API; answers with the status. */
  update(petId: string, quantity: string): Promise<number>;
  /** The petIds and quantities of the collection's own records. */
  records(): readonly (readonly [petId: unknown, quantity: unknown])[];
  /** Writes to the collection as the page's own code would. */
  create(petId: number, quantity: number): Promise<void>;
  remove(petId: number): void;
}

declare global {
  /** Opens the collection; the page does nothing before. */
  var openCollectionPage: (() => Promise<void>) | undefined;
  var collectionPage: CollectionPage | undefined;
}

globalThis.openCollectionPage = async () => {
  const inventory = new Collection({ schema: inventorySchema() });
  const store = await openCollectionStore(inventory, { extensions: [persist(), sync()] });
  await setupWorker(...inventoryHandlers({ store })).start({ quiet: true });

  const headers = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };

  globalThis.collectionPage = {
    async list() {
      return (await fetch('/v1/inventory', { headers })).text();
    },
    async update(petId, quantity) {
      const body = `{"quantity":${quantity}}`;
      return (await fetch(`/v1/inventory/${petId}`, { method: 'PATCH', headers, body })).status;
    },
    records: () => inventory.all().map(({ petId, quantity }) => [petId, quantity] as const),
    async create(petId, quantity) {
      await inventory.create({ petId, quantity, status: 'available' });
    },
    remove(petId) {
      inventory.delete((query) => query.where({ petId }));
    },
  };
};
