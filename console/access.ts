import { signal, type ReadonlySignal } from '@preact/signals';

/** The token of a server that listens beyond this machine. Never in a URL, gone with the tab. */
export interface Access {
  token(): string | undefined;
  /** Whether a person has to give the token. `refused`: the one they gave was not taken. */
  readonly question: ReadonlySignal<'none' | 'asked' | 'refused'>;
  /**
   * Waits for another token.
   *
   * @param refused the token that was sent with the refused request
   */
  ask(refused: string | undefined): Promise<void>;
  give(token: string): void;
}

const storageKey = 'stockcheck-admin-token';

export function createAccess(storage: Storage): Access {
  const question = signal<'none' | 'asked' | 'refused'>('none');
  let waiting: (() => void)[] = [];
  const token = (): string | undefined => storage.getItem(storageKey) ?? undefined;
  return {
    token,
    question,
    ask(refused) {
      // Another request was given a new one in the meantime.
      if (refused !== token()) return Promise.resolve();
      question.value = refused === undefined ? 'asked' : 'refused';
      return new Promise((resolve) => waiting.push(resolve));
    },
    give(given) {
      storage.setItem(storageKey, given);
      question.value = 'none';
      const resumed = waiting;
      waiting = [];
      for (const resume of resumed) resume();
    },
  };
}
