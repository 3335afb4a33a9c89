import { toFetch } from '../../src/mock/fetch.ts';
import { sendWithFetch } from './fetch.ts';
import type { Transport } from './transport.ts';

export const inProcess: Transport = {
  name: 'in process',
  open: (mock) =>
    Promise.resolve({
      send: (request) => sendWithFetch(toFetch(mock), 'http://mock.test/v1', request),
      close: () => Promise.resolve(),
    }),
};
