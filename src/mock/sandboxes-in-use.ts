import type { StoredSandbox } from '../inventory/sandbox-storage.ts';
import { LiveSandbox, type SandboxHost } from './live-sandbox.ts';
import { defaultSandboxId } from './sandbox.ts';
import { readSettings, type SandboxSettings } from './sandbox-settings.ts';

/** The sandboxes of a storage that this process has served, until they expire or are deleted. */
export class SandboxesInUse {
  readonly #host: SandboxHost;
  readonly #byId = new Map<string, LiveSandbox>();
  #nextSweep = 0;

  constructor(host: SandboxHost) {
    this.#host = host;
  }

  get(id: string): LiveSandbox | undefined {
    return this.#byId.get(id);
  }

  values(): Iterable<LiveSandbox> {
    return this.#byId.values();
  }

  /** The sandbox of what the storage holds; from now on it is in use. */
  of(stored: StoredSandbox): LiveSandbox {
    const live = this.#byId.get(stored.id);
    if (live === undefined) return this.add(stored);
    live.adopt(stored);
    return live;
  }

  /**
   * Takes a sandbox in use, in the place of one that had its id.
   *
   * @param settings those that the storage holds as text. Left out: they are read.
   */
  add(stored: StoredSandbox, settings: SandboxSettings = this.#settingsOf(stored)): LiveSandbox {
    this.#byId.get(stored.id)?.close();
    const live = new LiveSandbox(this.#host, stored, settings);
    this.#byId.set(stored.id, live);
    this.#dropOldest();
    return live;
  }

  forget(id: string): void {
    this.#byId.get(id)?.close();
    this.#byId.delete(id);
  }

  /**
   * Now and then forgets what has expired, and lets the storage do the same.
   *
   * @param now in milliseconds since the epoch
   */
  sweep(now: number): void {
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + sweepInterval;
    const expired = [...this.#byId.values()].filter(
      ({ expiresAt }) => expiresAt !== undefined && expiresAt <= now,
    );
    for (const { id } of expired) {
      this.forget(id);
      this.#host.emit({ type: 'deleted', id });
    }
    if (expired.length > 0) void this.#makeStorageSweep();
  }

  async #makeStorageSweep(): Promise<void> {
    try {
      await this.#host.storage.count();
    } catch {
      // Whoever needs the storage next is told what is wrong with it.
    }
  }

  #settingsOf(stored: StoredSandbox): SandboxSettings {
    return readSettings(stored.settings, this.#host.onBug);
  }

  /** Those that other processes have deleted are not asked for any more. */
  #dropOldest(): void {
    if (this.#byId.size <= this.#host.limits.sandboxes + 1000) return;
    const oldest = this.#byId.keys().find((id) => id !== defaultSandboxId);
    if (oldest !== undefined) this.forget(oldest);
  }
}

/** In milliseconds. */
const sweepInterval = 10_000;
