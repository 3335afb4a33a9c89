import type { SandboxStorage, StorageEvent } from '../inventory/sandbox-storage.ts';
import { StoreUnavailableError } from '../inventory/store.ts';
import { EchoFilter } from './echo-filter.ts';
import { defaultSandboxId, type Sandbox, type SandboxEvent } from './sandbox.ts';

/** What events need to know of the sandboxes they are about. */
export interface EventSources {
  readonly storage: SandboxStorage;
  readonly now: () => number;
  readonly onBug: ((error: unknown) => void) | undefined;
  /** A sandbox that this process knows. */
  known(id: string): Sandbox | undefined;
  /** A sandbox as the storage has it. */
  find(id: string): Promise<Sandbox | undefined>;
  /** Is told of a sandbox that is gone. */
  forget(id: string): void;
  /** Is told which sandboxes somebody listens to; `undefined` stands for all. */
  want(ids: ReadonlySet<string | undefined>): void;
}

/** Tells whoever wants to know what happens to sandboxes, in this process or in another. */
export class SandboxEvents {
  readonly #sources: EventSources;
  /** With the id of the only sandbox that each wants to know of. */
  readonly #listeners = new Map<(event: SandboxEvent) => void, string | undefined>();
  /** What the storage is asked to tell of: sandboxes by their ids, or `undefined` for all. */
  readonly #subscriptions = new Map<string | undefined, () => void>();
  readonly #echoes: EchoFilter;
  /** Events of the storage wait for each other here. */
  #heard: Promise<void> = Promise.resolve();

  constructor(sources: EventSources) {
    this.#sources = sources;
    this.#echoes = new EchoFilter(sources.now);
  }

  subscribe(listener: (event: SandboxEvent) => void, sandbox?: string): () => void {
    // Not the listener itself, which may be given twice.
    const told = (event: SandboxEvent): void => listener(event);
    this.#listeners.set(told, sandbox);
    this.#listen();
    return () => {
      this.#listeners.delete(told);
      this.#listen();
    };
  }

  /** Whether anybody wants to know of a sandbox. */
  isHeard(id: string): boolean {
    if (this.#listeners.size === 0) return false;
    return this.#listeners.values().some((only) => only === undefined || only === id);
  }

  /** Tells of what this process did. */
  emit(event: SandboxEvent): void {
    const told = toStorageEvent(event);
    if (told === undefined || this.#passes(told)) this.#tell(event);
  }

  /** Tells that the default sandbox was started over. */
  emitStartedOver(sandbox: Sandbox): void {
    const event: StorageEvent = { kind: 'created', sandbox: sandbox.id };
    if (!this.#passes(event)) return;
    for (const told of toSandboxEvents(event, sandbox)) this.#tell(told);
  }

  close(): void {
    for (const unsubscribe of this.#subscriptions.values()) unsubscribe();
    this.#subscriptions.clear();
  }

  /** Whether the storage has not told of it already. */
  #passes(event: StorageEvent): boolean {
    return this.#subscriptions.size === 0 || this.#echoes.passes('own', event);
  }

  #tell(event: SandboxEvent): void {
    const id = event.type === 'deleted' ? event.id : event.sandbox.id;
    for (const [listener, only] of this.#listeners) {
      if (only !== undefined && only !== id) continue;
      try {
        listener(event);
      } catch (error) {
        // Whoever is told must not keep a request from being answered.
        this.#sources.onBug?.(error);
      }
    }
  }

  /** Has the storage tell of what somebody here listens to. */
  #listen(): void {
    const { storage } = this.#sources;
    const wanted = new Set(this.#listeners.values());
    const all = wanted.has(undefined);
    this.#sources.want(wanted);
    for (const [id, unsubscribe] of this.#subscriptions) {
      if (wanted.has(id) && (id === undefined || !all)) continue;
      this.#subscriptions.delete(id);
      unsubscribe();
    }
    for (const id of all ? [undefined] : wanted) {
      if (this.#subscriptions.has(id)) continue;
      const unsubscribe = storage.subscribe?.((event) => this.#hear(event), id);
      if (unsubscribe !== undefined) this.#subscriptions.set(id, unsubscribe);
    }
  }

  /** One after another, so that they stay in order where a sandbox has to be read. */
  #hear(event: StorageEvent): void {
    this.#heard = this.#heard
      .then(() => this.#take(event))
      .catch((error: unknown) => {
        // The storage is away: it will say that events are missing.
        if (!(error instanceof StoreUnavailableError)) this.#sources.onBug?.(error);
      });
  }

  async #take(event: StorageEvent): Promise<void> {
    const { kind, sandbox: id } = event;
    if (kind === 'deleted' && id !== defaultSandboxId) {
      this.#sources.forget(id);
      if (this.#echoes.passes('heard', event)) this.#tell({ type: 'deleted', id });
      return;
    }
    if (!this.#echoes.passes('heard', event)) return;
    // What it is now is read anew, but for a change, which says all itself.
    const known = kind === 'change' ? this.#sources.known(id) : undefined;
    const sandbox = known ?? (await this.#sources.find(id));
    // Gone meanwhile: that is told next.
    if (sandbox === undefined) return;
    for (const told of toSandboxEvents(event, sandbox)) this.#tell(told);
  }
}

/** What the storage tells of the same thing; `undefined` for what only this process knows. */
function toStorageEvent(event: SandboxEvent): StorageEvent | undefined {
  switch (event.type) {
    case 'change':
      return { kind: 'change', sandbox: event.sandbox.id, item: event.item };
    case 'sandbox':
      return { kind: 'settings', sandbox: event.sandbox.id };
    case 'deleted':
      return { kind: 'deleted', sandbox: event.id };
    case 'replaced':
    case 'created':
      return { kind: event.type, sandbox: event.sandbox.id };
    case 'exchange':
    case 'fault':
      return undefined;
  }
}

function toSandboxEvents(event: StorageEvent, sandbox: Sandbox): readonly SandboxEvent[] {
  switch (event.kind) {
    case 'change':
      return [{ type: 'change', sandbox, item: event.item }];
    case 'settings':
    case 'snapshots':
      return [{ type: 'sandbox', sandbox }];
    case 'replaced':
      return [{ type: 'replaced', sandbox }];
    case 'created':
      // The default one is there as long as the mock is: it was started over.
      return sandbox.id === defaultSandboxId
        ? [
            { type: 'replaced', sandbox },
            { type: 'sandbox', sandbox },
          ]
        : [{ type: 'created', sandbox }];
    case 'deleted':
      return [];
  }
}
