import { setupWorker } from 'msw/browser';
import { createInventoryMock, inventoryHandlers } from '../../../handlers/msw.ts';
import type { InventoryMock, InventoryMockOptions } from '../../../handlers/msw.ts';

/** A request whose body has become text that JSON can carry. */
export interface PageRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: readonly number[] | undefined;
}

/** A response, likewise. */
export interface PageResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: readonly number[];
}

/** What the tests call in the page. */
export interface BehaviourPage {
  start(options: InventoryMockOptions): void;
  send(request: PageRequest): Promise<PageResponse>;
  items(): ReturnType<InventoryMock['items']>;
}

declare global {
  var behaviour: BehaviourPage | undefined;
}

const worker = setupWorker();
await worker.start({ quiet: true, onUnhandledFrame: 'error' });
let mock = createInventoryMock();

globalThis.behaviour = {
  start(options) {
    mock = createInventoryMock(options);
    worker.resetHandlers(...inventoryHandlers({ mock }));
  },
  async send({ url, method, headers, body }) {
    const response = await fetch(url, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    return {
      status: response.status,
      headers: [...response.headers],
      body: [...new Uint8Array(await response.arrayBuffer())],
    };
  },
  items: () => mock.items(),
};
