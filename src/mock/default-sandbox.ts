import type { InventoryItem } from '../inventory/item.ts';
import type { SandboxStorage, StoredSandbox } from '../inventory/sandbox-storage.ts';
import { seedSandbox } from '../inventory/seed-sandbox.ts';
import { StoreUnavailableError, type MaybePromise } from '../inventory/store.ts';
import { defaultSandboxId } from './sandbox.ts';
import { writeSettings, type SandboxSettings } from './sandbox-settings.ts';

/** What a sandbox is made of. */
export interface SandboxDraft {
  readonly settings: SandboxSettings;
  readonly inventory: Iterable<InventoryItem>;
}

/** What the default sandbox needs to be found, and to be made. */
export interface DefaultSandboxSources {
  readonly storage: SandboxStorage;
  /** The time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly onBug: ((error: unknown) => void) | undefined;
  /** What it is made of. */
  readonly draft: () => SandboxDraft;
  /** Is told that it was missing and has been made again. Left out: another process makes it. */
  readonly onRestored: ((seeded: SeededSandbox) => void) | undefined;
}

/** The default sandbox, just found or made. */
export interface SeededSandbox {
  readonly stored: StoredSandbox;
  /** What it was made with. Left out: the storage had it already. */
  readonly settings?: SandboxSettings;
}

/**
 * Finds the sandbox that a mock was created with. A storage that is shared may be emptied while the
 * mock runs, and then it is made again.
 */
export class DefaultSandbox {
  readonly #sources: DefaultSandboxSources;
  /** Since when the storage has not had it. */
  #missingSince: number | undefined;
  #isRestoring = false;

  constructor(sources: DefaultSandboxSources) {
    this.#sources = sources;
  }

  /**
   * As the storage has it now; asked for every request.
   *
   * @throws {StoreUnavailableError} where the storage does not have it
   */
  current(): MaybePromise<StoredSandbox> {
    const { storage } = this.#sources;
    const stored = storage.recall?.(defaultSandboxId) ?? storage.get(defaultSandboxId);
    // Not `whenReady`: a closure costs more than a comparison.
    return stored instanceof Promise
      ? stored.then((found) => this.#assertThere(found))
      : this.#assertThere(stored);
  }

  /** @throws {StoreUnavailableError} where the storage does not have it, or cannot be asked */
  async assertThere(): Promise<void> {
    this.#assertThere(await this.#sources.storage.get(defaultSandboxId));
  }

  /**
   * Finds it in the storage, or makes it.
   *
   * @param reseed whether to drop what is kept, and to start over
   */
  async seed(reseed: boolean): Promise<SeededSandbox> {
    const { storage, draft } = this.#sources;
    const { settings, inventory } = draft();
    const text = writeSettings(settings);
    const stored = await seedSandbox(
      storage,
      { id: defaultSandboxId, settings: text, seed: inventory },
      reseed,
    );
    // Its settings hold the time at which they were made.
    return stored.settings === text ? { stored, settings } : { stored };
  }

  /** Where it is not, the storage was emptied, or another process is just starting it over. */
  #assertThere(stored: StoredSandbox | undefined): StoredSandbox {
    if (stored !== undefined) {
      this.#missingSince = undefined;
      return stored;
    }
    const { now, onRestored } = this.#sources;
    this.#missingSince ??= now();
    const isLasting = now() - this.#missingSince >= patience;
    if (isLasting && onRestored !== undefined && !this.#isRestoring) void this.#restore(onRestored);
    throw new StoreUnavailableError(isMissing, 1);
  }

  async #restore(onRestored: (seeded: SeededSandbox) => void): Promise<void> {
    this.#isRestoring = true;
    try {
      onRestored(await this.seed(false));
    } catch (error) {
      // The storage is away again: the next request tries again.
      if (!(error instanceof StoreUnavailableError)) this.#sources.onBug?.(error);
    } finally {
      this.#isRestoring = false;
    }
  }
}

/** How long another process may take to start it over, in milliseconds. */
const patience = 1000;

const isMissing =
  'the default sandbox is not in the storage: another process is starting it over, or the storage was emptied, and then it is seeded anew in a moment';
