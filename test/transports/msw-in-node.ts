import { setupServer } from 'msw/node';
import { inventoryHandlers } from '../../handlers/msw.ts';
import { sendWithFetch } from './fetch.ts';
import type { Transport } from './transport.ts';

/** Node's own fetch, intercepted by MSW. */
export const mswInNode: Transport = {
  name: 'MSW in Node',
  open: (mock) => {
    const server = setupServer(...inventoryHandlers({ mock }));
    server.listen({ onUnhandledFrame: 'error' });
    return Promise.resolve({
      send: (request) => sendWithFetch(fetch, 'https://api.example.com/v1', request),
      close: () => {
        server.close();
        return Promise.resolve();
      },
    });
  },
};
