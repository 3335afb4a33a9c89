import { toFetch } from '../../src/mock/fetch.ts';
import type { Transport } from './transport.ts';

export const inProcess: Transport = {
  name: 'in process',
  open: (mock) => {
    const fetch = toFetch(mock);
    return Promise.resolve({
      async send({ method, path, headers, body }) {
        const response = await fetch(
          new Request(`http://mock.test/v1${path}`, {
            method,
            headers: headers.map(([name, value]): [string, string] => [name, value]),
            ...(body === undefined ? {} : { body: new Uint8Array(body) }),
          }),
        );
        return {
          status: response.status,
          header: (name) => response.headers.get(name) ?? undefined,
          body: new Uint8Array(await response.arrayBuffer()),
        };
      },
      close: () => Promise.resolve(),
    });
  },
};
