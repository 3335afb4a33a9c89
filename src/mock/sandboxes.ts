import { authorize, isKnownKey, type ApiKeys } from '../inventory/authorization.ts';
import type { InventoryItem } from '../inventory/item.ts';
import { createSecureRandom, toRandomText } from '../inventory/random.ts';
import {
  SandboxGoneError,
  SettingsChangedError,
  type SandboxStorage,
} from '../inventory/sandbox-storage.ts';
import { StoreUnavailableError, whenReady, type MaybePromise } from '../inventory/store.ts';
import { MemorySandboxes } from '../stores/memory-sandboxes.ts';
import { refuseUnknownOptions } from './check-options.ts';
import { createClock } from './clock.ts';
import { DefaultSandbox, type SandboxDraft, type SeededSandbox } from './default-sandbox.ts';
import type { MockRequest, MockResponse } from './exchange.ts';
import { toWholeFixture } from './faults/whole-fixture.ts';
import { FixtureSources } from './fixture-sources.ts';
import { JournalBudget } from './journal-budget.ts';
import type { KeptExchange } from './kept-exchange.ts';
import { JournalSharing } from './peers/journal-sharing.ts';
import { toPlan, type LiveSandbox, type SandboxHost } from './live-sandbox.ts';
import { defaultApiKey, handleRequest, type Mock } from './mock.ts';
import { toNoSuchSandbox } from './no-such-sandbox.ts';
import type { LoadedFixture } from './plain-fixture.ts';
import type { Policy, PolicyChanges } from './policy.ts';
import { toPolicy, type PolicyInput } from './policy-input.ts';
import { toInternalError, toResponse } from './respond.ts';
import { SandboxEvents } from './sandbox-events.ts';
import { checkApiKey, checkMockOptions, explainAsInvalid, toExpiry } from './sandbox-options.ts';
import { writeSettings, type SandboxSettings } from './sandbox-settings.ts';
import {
  defaultLimits,
  defaultSandboxId,
  SandboxError,
  type CreatedSandbox,
  type Sandbox,
  type SandboxEvent,
  type SandboxLimits,
  type SandboxOptions,
} from './sandbox.ts';
import { SandboxesInUse } from './sandboxes-in-use.ts';
import type { Seed } from './seed.ts';
import { copySettings, toSettings } from './settings-from-options.ts';

export interface SandboxesOptions {
  /** What the default sandbox is seeded from, and new ones that name no other. Left out: `default`. */
  readonly fixture?: Seed;
  /** A fixture that was read already, in place of `fixture`. */
  readonly loadedFixture?: LoadedFixture;
  /** What the fixture is called. Left out: the name of the built-in one, or `server`. */
  readonly fixtureName?: string;
  /** What opens the default sandbox. Left out: the keys of the fixture, or `demo-key`. */
  readonly apiKeys?: ApiKeys;
  /** Answers that differ from the defaults and from the fixture's, in every sandbox. */
  readonly policy?: PolicyInput;
  /** Where sandboxes are kept. Left out: in memory. */
  readonly storage?: SandboxStorage;
  /** Whether to start the default sandbox over, where the storage has it. Left out: false. */
  readonly reseed?: boolean;
  /**
   * Is given every exchange in place of the journals, which stay empty: another process keeps them,
   * by `adoptExchanges`. The sandboxes must be in the storage already. Left out: the journals.
   */
  readonly forward?: (sandbox: string, exchange: KeptExchange) => void;
  /**
   * Is waited for before other servers are told what is in a journal: exchanges may be on their way
   * here. Left out: there are none.
   */
  readonly gather?: () => Promise<void>;
  readonly limits?: Partial<SandboxLimits>;
  /**
   * `fetch` where every client comes by MSW or another way without a connection: faults that cannot
   * be made there are refused. Left out: `http`.
   */
  readonly transport?: 'http' | 'fetch';
  /** The time in milliseconds since the epoch. Left out: the system's clock. */
  readonly now?: () => number;
  /** Is told of every error that is a bug, in the mock or in its store. */
  readonly onBug?: (error: unknown) => void;
  /** Is told, in a sentence, of exchanges that are missing because there were too many. */
  readonly onNotice?: (text: string) => void;
}

/** What is different in a copy of a sandbox. */
export interface CopyOptions {
  readonly name: string;
  /** In seconds. */
  readonly timeToLive: number;
}

/** A mock with any number of isolated inventories. An API key opens one. */
export interface Sandboxes extends Mock {
  readonly limits: SandboxLimits;
  /**
   * How many bytes the body of a request may have, by the policy of the sandbox that its key opens.
   */
  bodyLimit(request: Pick<MockRequest, 'header'>): MaybePromise<number>;
  /**
   * One sandbox as a mock of its own, which judges every request, also one whose key opens nothing.
   *
   * @param apiKeys what opens it there
   * @throws {SandboxError} `notFound`
   */
  alone(id: string, apiKeys: ApiKeys): Promise<Mock>;
  /** The sandbox that the mock was created with. */
  readonly default: Sandbox;
  /** Whether the default sandbox was made now: the storage did not have it. */
  readonly isNew: boolean;
  /** The fixtures that a sandbox can be created from by name, with their scenarios. */
  readonly fixtures: readonly { readonly name: string; readonly scenarios: readonly string[] }[];
  /** @throws {SandboxError} `notFound` where there is no such sandbox, or it has expired */
  get(id: string): Promise<Sandbox>;
  /** In the order they were created, the default one first. */
  list(): Promise<readonly Sandbox[]>;
  /** How many there are, the default one included, and perhaps those that have just expired. */
  count(): Promise<number>;
  /**
   * Creates a sandbox.
   *
   * @throws {SandboxError} `invalid` for wrong options, `conflict` for a key that is taken, `limit`
   * where there are too many
   * @throws {TypeError} for an option that there is not
   * @example
   * const { apiKey, sandbox } = await mock.create({ fixture: 'edge', timeToLive: 600 });
   */
  create(options?: SandboxOptions): Promise<CreatedSandbox>;
  /**
   * Creates a temporary sandbox like another: with the inventory that it has now, however large, its
   * policy, scenarios and faults, which count from the beginning.
   *
   * @throws {SandboxError} `notFound`, or `limit` where there are too many
   */
  copy(id: string, options: CopyOptions): Promise<CreatedSandbox>;
  /** @throws {SandboxError} `notFound`, or `conflict` for the default one */
  delete(id: string): Promise<void>;
  /** Seeds the default sandbox anew, with another fixture; what was changed in it is gone. */
  reseed(fixture: LoadedFixture): Promise<void>;
  /** Takes note of exchanges that another process has answered, in the order they are given. */
  adoptExchanges(sandbox: string, exchanges: readonly KeptExchange[]): Promise<void>;
  /**
   * Tells of everything that happens, until the returned function is called.
   *
   * @param sandbox the id of the only one to tell of. Left out: all
   */
  subscribe(listener: (event: SandboxEvent) => void, sandbox?: string): () => void;
  /**
   * Resolves where a request could be served now.
   *
   * @throws {StoreUnavailableError} where the storage cannot be asked
   */
  ready(): Promise<void>;
  /** Resolves when what requests leave to be counted, for faults, is in the storage. */
  settle(): Promise<void>;
  /** Gives up what the storage holds. */
  close(): Promise<void>;
}

/**
 * Creates a mock with sandboxes.
 *
 * @throws {RangeError} for a wrong fixture, policy or limit
 * @throws {SandboxError} `invalid` for a key that no client could send
 * @throws {TypeError} for an option that there is not
 * @example
 * const mock = await createSandboxes({ fixture: 'default' });
 * const worker = setupWorker(...inventoryHandlers({ mock }));
 * await mock.default.snapshot('before');
 */
export async function createSandboxes(options: SandboxesOptions = {}): Promise<Sandboxes> {
  checkMockOptions(options);
  const mock = new LiveSandboxes(options);
  await mock.open();
  return mock;
}

class LiveSandboxes implements Sandboxes, SandboxHost {
  readonly limits: SandboxLimits;
  readonly storage: SandboxStorage;
  readonly now: () => number;
  readonly transport: 'http' | 'fetch';
  readonly onBug: ((error: unknown) => void) | undefined;
  readonly forward: SandboxesOptions['forward'];
  readonly journalBudget: JournalBudget;
  readonly sharing: JournalSharing | undefined;
  readonly #reseeds: boolean;
  readonly #policy: PolicyChanges;
  readonly #inUse = new SandboxesInUse(this);
  readonly #sources: FixtureSources;
  readonly #random = createSecureRandom();
  readonly #givenKeys: ApiKeys | undefined;
  readonly #events: SandboxEvents;
  readonly #storedDefault: DefaultSandbox;
  #apiKeys: ApiKeys;
  #default: LiveSandbox | undefined;
  #isNew = false;

  constructor(options: SandboxesOptions) {
    const { fixture = 'default', loadedFixture, apiKeys, now, onBug } = options;
    this.transport = options.transport ?? 'http';
    this.limits = { ...defaultLimits, ...options.limits };
    this.now = now ?? createClock();
    this.storage = options.storage ?? new MemorySandboxes({ now: this.now });
    this.onBug = onBug;
    this.forward = options.forward;
    this.#reseeds = options.reseed ?? false;
    this.#events = new SandboxEvents({
      storage: this.storage,
      now: this.now,
      onBug,
      known: (id) => this.#inUse.get(id),
      find: (id) => this.#find(id),
      forget: (id) => this.#inUse.forget(id),
      want: (ids) => this.sharing?.want(ids),
    });
    // Who forwards has no journals.
    const { board } = options.forward === undefined ? this.storage : {};
    this.sharing =
      board === undefined
        ? undefined
        : new JournalSharing({
            board,
            now: this.now,
            onBug,
            onNotice: options.onNotice,
            gather: options.gather,
            known: (id) => this.#inUse.get(id),
            find: (id) => this.#find(id),
            forget: (id) => this.#inUse.forget(id),
            emit: (event) => this.#events.emit(event),
          });
    this.#policy = options.policy === undefined ? {} : toPolicy(options.policy);
    this.#givenKeys = apiKeys;
    const name = options.fixtureName ?? (typeof fixture === 'string' ? fixture : 'server');
    const own = loadedFixture ?? toWholeFixture(fixture);
    this.#sources = new FixtureSources({ name, fixture: own }, this.limits.pets);
    this.#apiKeys = this.#keysFor(own);
    this.journalBudget = new JournalBudget(this.limits.allJournalsBytes, () =>
      this.#inUse.values(),
    );
    this.#storedDefault = new DefaultSandbox({
      storage: this.storage,
      now: this.now,
      onBug,
      draft: () => this.#draftDefault(),
      // Who forwards has no fixture: the process above makes it.
      onRestored:
        this.forward === undefined
          ? (seeded) => this.emit({ type: 'replaced', sandbox: this.#adoptDefault(seeded) })
          : undefined,
    });
  }

  /** Finds the default sandbox, or creates it. */
  async open(): Promise<void> {
    if (this.forward !== undefined) {
      this.#default = this.#inUse.of(await this.#storedDefault.current());
      return;
    }
    // Before the first request: none is to be answered unheard.
    await this.sharing?.open();
    const sandbox = this.#adoptDefault(await this.#storedDefault.seed(this.#reseeds));
    // What is said at the start comes before what was kept.
    if (!this.#isNew && Object.keys(this.#policy).length > 0) {
      await sandbox.configure({ policy: this.#policy });
    }
  }

  get default(): Sandbox {
    return this.#standing();
  }

  get policy(): Policy {
    return this.#standing().policy;
  }

  get apiKeys(): ApiKeys {
    return this.#apiKeys;
  }

  get isNew(): boolean {
    return this.#isNew;
  }

  get fixtures(): Sandboxes['fixtures'] {
    return this.#sources.list();
  }

  handle(request: MockRequest): MaybePromise<MockResponse> {
    return this.#handle(request, (error) => this.#tryAgain(request, error, 1));
  }

  bodyLimit(request: Pick<MockRequest, 'header'>): MaybePromise<number> {
    const token = toToken(request.header('authorization'));
    const isDefault = token === undefined || this.#opensDefault(token);
    const opened = isDefault ? this.#openDefault() : this.#openWith(token);
    return whenReady(opened, (sandbox) => sandbox.policy['body-limit']);
  }

  async alone(id: string, apiKeys: ApiKeys): Promise<Mock> {
    const sandbox = await this.get(id);
    const answerNow = async (request: MockRequest): Promise<MockResponse> => {
      const stored = await this.storage.get(id);
      if (stored === undefined) throw new SandboxGoneError(id);
      return handleRequest(request, { ...this.#inUse.of(stored).engine, apiKeys }, rethrow);
    };
    const handle = async (request: MockRequest, attempt: number): Promise<MockResponse> => {
      try {
        return await answerNow(request);
      } catch (error) {
        const isStale = error instanceof SettingsChangedError && attempt < mostAttempts;
        return isStale ? handle(request, attempt + 1) : this.#fail(error);
      }
    };
    return {
      get policy() {
        return sandbox.policy;
      },
      apiKeys,
      handle: (request) => handle(request, 1),
      items: () => sandbox.items(),
      replace: (items) => sandbox.replace(items),
    };
  }

  items(): MaybePromise<Iterable<InventoryItem>> {
    return whenReady(this.#storedDefault.current(), (stored) => stored.store.items());
  }

  replace(items: Iterable<InventoryItem>): MaybePromise<void> {
    return whenReady(this.#storedDefault.current(), (stored) => stored.store.replace(items));
  }

  async get(id: string): Promise<LiveSandbox> {
    const found = await this.#find(id).catch((error: unknown) => {
      const known = this.#inUse.get(id);
      // What this process knows of it, such as its journal, can be told without the storage.
      if (known !== undefined && error instanceof StoreUnavailableError) return known;
      throw error;
    });
    if (found !== undefined) return found;
    // Another process may have deleted it.
    if (id !== defaultSandboxId) this.#inUse.forget(id);
    throw await toNoSuchSandbox(id, this.storage);
  }

  async list(): Promise<readonly Sandbox[]> {
    return (await this.storage.list()).map((stored) => this.#inUse.of(stored));
  }

  async count(): Promise<number> {
    return this.storage.count();
  }

  async adoptExchanges(sandbox: string, exchanges: readonly KeptExchange[]): Promise<void> {
    this.noteTime(this.now());
    const live = this.#inUse.get(sandbox) ?? (await this.#find(sandbox));
    live?.adoptExchanges(exchanges);
  }

  async create(options: SandboxOptions = {}): Promise<CreatedSandbox> {
    refuseUnknownOptions(options, optionNames, 'the options of a sandbox', '{ fixture: "empty" }');
    const apiKey = options.apiKey ?? this.#makeKey();
    checkApiKey(apiKey);
    const source = this.#sources.find(options.fixture);
    const createdAt = Math.floor(this.now());
    const settings = toSettings(source, options, this.#policy, createdAt);
    const expiresAt = toExpiry(options.timeToLive, createdAt);
    // Before anything is written: there may be a fault in it that cannot be made here.
    explainAsInvalid(() => toPlan(settings, this.transport));
    if (this.#opensDefault(apiKey)) throw takenKey();
    return this.#add({ apiKey, settings, expiresAt, seed: source.fixture.inventory });
  }

  async copy(id: string, { name, timeToLive }: CopyOptions): Promise<CreatedSandbox> {
    const like = await this.get(id);
    const createdAt = Math.floor(this.now());
    return this.#add({
      apiKey: this.#makeKey(),
      settings: copySettings(like.settings, name, createdAt),
      expiresAt: toExpiry(timeToLive, createdAt),
      seed: await like.items(),
    });
  }

  async delete(id: string): Promise<void> {
    if (id === defaultSandboxId) {
      throw new SandboxError('conflict', 'the default sandbox cannot be deleted; reset it instead');
    }
    if (!(await this.storage.delete(id))) throw await toNoSuchSandbox(id, this.storage);
    this.#inUse.forget(id);
    this.sharing?.noteDeleted(id);
    this.emit({ type: 'deleted', id });
  }

  async reseed(fixture: LoadedFixture): Promise<void> {
    this.#sources.own = { name: this.#sources.own.name, fixture };
    this.#apiKeys = this.#keysFor(fixture);
    this.#events.emitStartedOver(this.#adoptDefault(await this.#storedDefault.seed(true)));
  }

  subscribe(listener: (event: SandboxEvent) => void, sandbox?: string): () => void {
    return this.#events.subscribe(listener, sandbox);
  }

  async ready(): Promise<void> {
    const readiness = await this.storage.ready?.();
    if (readiness?.ready === false) throw new StoreUnavailableError(readiness.reason, 1);
    await this.#storedDefault.assertThere();
  }

  async settle(): Promise<void> {
    await Promise.all([...this.#inUse.values()].flatMap(({ counting }) => counting ?? []));
  }

  async close(): Promise<void> {
    await this.settle();
    this.#events.close();
    this.sharing?.close();
    await this.storage.close?.();
  }

  keysOf(id: string): ApiKeys {
    return id === defaultSandboxId ? this.#apiKeys : 'any';
  }

  noteTime(now: number): void {
    this.#inUse.sweep(now);
  }

  isHeard(id: string): boolean {
    return this.#events.isHeard(id) || this.sharing?.isFollowed(id) === true;
  }

  emit(event: SandboxEvent): void {
    this.#events.emit(event);
    this.sharing?.pass(event);
  }

  async #find(id: string): Promise<LiveSandbox | undefined> {
    const stored = await this.storage.get(id);
    return stored === undefined ? undefined : this.#inUse.of(stored);
  }

  #handle(
    request: MockRequest,
    fail: (error: unknown) => MaybePromise<MockResponse>,
  ): MaybePromise<MockResponse> {
    try {
      const header = request.header('authorization');
      const token = toToken(header);
      const opensDefault = token !== undefined && this.#opensDefault(token);
      // The sandbox that the key opens, or else the default one, which refuses it.
      const found =
        opensDefault || token === undefined ? this.#openDefault() : this.#openWith(token);
      // Behind anything else, the engine looks at the whole header.
      const isBearer =
        header?.length === bearer.length + (token?.length ?? 0) && header.startsWith(bearer);
      return found instanceof Promise
        ? found.then((sandbox) => answer(request, sandbox, isBearer, opensDefault, fail), fail)
        : answer(request, found, isBearer, opensDefault, fail);
    } catch (error) {
      return fail(error);
    }
  }

  /** Its sandbox went away or was changed meanwhile: whoever looks for it again finds what is now. */
  #tryAgain(request: MockRequest, error: unknown, attempt: number): MaybePromise<MockResponse> {
    const isStale = error instanceof SandboxGoneError || error instanceof SettingsChangedError;
    return isStale && attempt < mostAttempts
      ? this.#handle(request, (again) => this.#tryAgain(request, again, attempt + 1))
      : this.#failFor(request, error);
  }

  // Not `whenReady` here and below: these run for every request, and a closure costs more than a
  // comparison.
  #openWith(token: string): MaybePromise<LiveSandbox> {
    const found = this.storage.find(token);
    if (found instanceof Promise) {
      return found.then((stored) =>
        stored === undefined ? this.#openDefault() : this.#inUse.of(stored),
      );
    }
    return found === undefined ? this.#openDefault() : this.#inUse.of(found);
  }

  #openDefault(): MaybePromise<LiveSandbox> {
    const current = this.#storedDefault.current();
    return current instanceof Promise
      ? current.then((stored) => this.#inUse.of(stored))
      : this.#inUse.of(current);
  }

  /** Whether a token is one of the keys that were given for the default sandbox. */
  #opensDefault(token: string): boolean {
    return this.#apiKeys !== 'any' && isKnownKey(token, this.#apiKeys);
  }

  #standing(): LiveSandbox {
    if (this.#default === undefined) throw new Error('the mock is used before it was opened');
    return this.#default;
  }

  /** What the default sandbox is made of, should it have to be. */
  #draftDefault(): SandboxDraft {
    const { own } = this.#sources;
    const settings = toSettings(own, {}, this.#policy, Math.floor(this.now()));
    return {
      settings: { ...settings, name: defaultSandboxId },
      inventory: own.fixture.inventory,
    };
  }

  #adoptDefault({ stored, settings }: SeededSandbox): LiveSandbox {
    const sandbox = this.#inUse.add(stored, settings);
    this.#isNew = settings !== undefined;
    this.#default = sandbox;
    return sandbox;
  }

  #keysFor(fixture: LoadedFixture): ApiKeys {
    const keys = this.#givenKeys ?? fixture.apiKeys ?? [defaultApiKey];
    if (keys !== 'any') {
      for (const key of keys) checkApiKey(key);
    }
    return keys;
  }

  #makeKey(): string {
    return `sb-${toRandomText(this.#random, 32)}`;
  }

  async #add({ apiKey, settings, expiresAt, seed }: SandboxParts): Promise<CreatedSandbox> {
    await this.#makeRoom();
    const stored = await this.storage.create({
      apiKey,
      settings: writeSettings(settings),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      seed,
    });
    if (stored === 'taken') throw takenKey();
    const sandbox = this.#inUse.add(stored, settings);
    this.emit({ type: 'created', sandbox });
    return { sandbox, apiKey };
  }

  async #makeRoom(): Promise<void> {
    const most = this.limits.sandboxes;
    // The default one is not counted.
    if ((await this.count()) - 1 >= most) {
      throw new SandboxError(
        'limit',
        `there are ${most} sandboxes, which is the limit; delete some, or give them a shorter time to live`,
      );
    }
    this.noteTime(this.now());
  }

  #failFor(request: MockRequest, error: unknown): MaybePromise<MockResponse> {
    const fail = (reason: unknown): MockResponse => this.#fail(reason);
    // What opens no sandbox, whichever there are, is refused without the storage: by the settings
    // that the default one had when it was seen last.
    return error instanceof StoreUnavailableError && !mayOpen(request)
      ? handleRequest(request, this.#standing().engine, fail)
      : fail(error);
  }

  #fail(error: unknown): MockResponse {
    if (error instanceof StoreUnavailableError) {
      const { message, retryAfterSeconds: retryAfter } = error;
      return toResponse({ kind: 'unavailable', status: 503, retryAfter, message }, this.policy);
    }
    this.onBug?.(error);
    return toInternalError(this.policy);
  }
}

/** What a new sandbox is made of. */
interface SandboxParts {
  readonly apiKey: string;
  readonly settings: SandboxSettings;
  readonly expiresAt: number | undefined;
  readonly seed: Iterable<InventoryItem>;
}

const optionNames = [
  'name',
  'fixture',
  'apiKey',
  'policy',
  'timeToLive',
  'scenario',
  'seed',
] as const;

function answer(
  request: MockRequest,
  sandbox: LiveSandbox,
  isBearer: boolean,
  opensDefault: boolean,
  fail: (error: unknown) => MaybePromise<MockResponse>,
): MaybePromise<MockResponse> {
  const isAuthorized = isBearer && (opensDefault || sandbox.id !== defaultSandboxId);
  return handleRequest(request, sandbox.engine, fail, isAuthorized);
}

function rethrow(error: unknown): never {
  throw error;
}

/** Whether there could be a key that opens a sandbox to this request, by some policy. */
function mayOpen(request: MockRequest): boolean {
  return authorize(request.header('authorization'), 'any', true).authorized;
}

const bearer = 'Bearer ';

/** How often a request is handled because its sandbox is changed all the time. */
const mostAttempts = 5;

/** The last word of an Authorization header, which may be a key. */
function toToken(header: string | undefined): string | undefined {
  return header?.slice(header.lastIndexOf(' ') + 1);
}

function takenKey(): SandboxError {
  return new SandboxError(
    'conflict',
    'apiKey: the key opens another sandbox already; choose another, or leave it out to have one made',
  );
}
