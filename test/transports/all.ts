import { collection } from './collection.ts';
import { http } from './http.ts';
import { inProcess } from './in-process.ts';
import { mswInChromium } from './msw-in-chromium.ts';
import { mswInNode } from './msw-in-node.ts';
import { sandbox } from './sandbox.ts';
import type { Transport } from './transport.ts';

/** Every transport. A new one is one file and one line here. */
export const transports: readonly Transport[] = [
  inProcess,
  collection,
  http,
  sandbox,
  mswInNode,
  mswInChromium,
];
