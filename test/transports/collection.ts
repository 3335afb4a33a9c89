import { Collection } from '@msw/data';
import { collectionStore, inventorySchema } from '../../handlers/msw.ts';
import { createMock } from '../../src/mock/mock.ts';
import { inProcess } from './in-process.ts';
import type { Transport } from './transport.ts';

/** In process, with the inventory in a collection of `@msw/data`. */
export const collection: Transport = {
  name: 'over a collection',
  open: async (mock) => {
    const store = collectionStore(new Collection({ schema: inventorySchema() }));
    await store.replace(await mock.items());
    const { apiKeys, policy } = mock;
    const connection = await inProcess.open(createMock({ store, apiKeys, policy }));
    return {
      send: (request) => connection.send(request),
      close: async () => {
        await connection.close();
        await mock.replace(store.items());
      },
    };
  },
};
