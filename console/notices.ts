import { signal, type ReadonlySignal } from '@preact/signals';
import { toSentence } from './api.ts';

export interface Notice {
  readonly id: number;
  /** What the page shows anyhow is only `said`, to who does not see it. */
  readonly tone: 'done' | 'said' | 'failed';
  readonly text: string;
}

/** What became of actions: shown for a while, and read out. */
export interface Notices {
  readonly shown: ReadonlySignal<readonly Notice[]>;
  done(text: string): void;
  /** Reads out what the eye sees where it happened. */
  say(text: string): void;
  /** @param what what could not be done: "Pet 5 is not changed" */
  failed(what: string, error: unknown): void;
  dismiss(id: number): void;
  /** Does something, and says that it is done or why it is not. */
  attempt(action: () => Promise<unknown>, done: string, failed: string): Promise<boolean>;
}

/** How long good news stays, in milliseconds. Bad news stays until it is dismissed. */
const lifetime = 4000;

export function createNotices(): Notices {
  const shown = signal<readonly Notice[]>([]);
  let last = 0;
  const dismiss = (id: number): void => {
    shown.value = shown.value.filter((notice) => notice.id !== id);
  };
  const add = (tone: Notice['tone'], text: string): void => {
    last += 1;
    const id = last;
    // One piece of good news at a time: they would pile up over the page.
    const kept = shown.value.filter((notice) => tone === 'failed' || notice.tone === 'failed');
    shown.value = [...kept.slice(-3), { id, tone, text }];
    if (tone !== 'failed') setTimeout(() => dismiss(id), lifetime);
  };
  const notices: Notices = {
    shown,
    dismiss,
    done(text) {
      add('done', text);
    },
    say(text) {
      add('said', text);
    },
    failed(what, error) {
      add('failed', `${what}: ${toSentence(error)}.`);
    },
    async attempt(action, done, failed) {
      try {
        await action();
        notices.done(done);
        return true;
      } catch (error) {
        notices.failed(failed, error);
        return false;
      }
    },
  };
  return notices;
}
