import type { PetStatus } from '../contracts/pet-status.ts';

/** A record as tabs tell each other of it. */
export interface SharedRecord {
  readonly primaryKey: string;
  readonly petId: bigint;
  readonly quantity: bigint;
  readonly status: PetStatus;
}

type Message =
  { readonly type: 'ask' } | { readonly type: 'answer'; readonly records: readonly SharedRecord[] };

const channelName = 'stockcheck/inventory';

/** How long a tab that is there may take to answer, in milliseconds. */
const patience = 1000;

/**
 * Asks another tab of this origin what its inventory holds: `sync()` tells a tab of what happens
 * after it was opened, and not of what happened before.
 *
 * @returns `undefined` where no other tab is open, or none answers
 */
export async function askOtherTabs(): Promise<readonly SharedRecord[] | undefined> {
  // A tab that can answer holds the lock: the first tab need not wait for nobody.
  const { held = [] } = await navigator.locks.query();
  if (!held.some(({ name }) => name === channelName)) return undefined;
  const channel = new BroadcastChannel(channelName);
  try {
    return await new Promise((resolve) => {
      channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
        if (data.type === 'answer') resolve(data.records);
      });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
      channel.postMessage({ type: 'ask' } satisfies Message);
      setTimeout(() => resolve(undefined), patience);
    });
  } finally {
    channel.close();
  }
}

/** Answers other tabs for as long as this one is open. */
export function answerOtherTabs(readRecords: () => readonly SharedRecord[]): void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.type === 'ask') {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
      channel.postMessage({ type: 'answer', records: readRecords() } satisfies Message);
    }
  });
  const whileOpen = new Promise<never>(() => undefined);
  void navigator.locks.request(channelName, { mode: 'shared' }, () => whileOpen);
}
