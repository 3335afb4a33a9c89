import type { ApiKeys } from '../inventory/authorization.ts';
import type { InventoryItem } from '../inventory/item.ts';
import {
  SandboxGoneError,
  SettingsChangedError,
  type CounterStep,
  type SandboxStorage,
  type SnapshotEntry,
  type StoredSandbox,
} from '../inventory/sandbox-storage.ts';
import type { StockChange, UpdatedItem } from '../inventory/store.ts';
import { quoteText } from '../json/cut-text.ts';
import { diffInventories, type InventoryDiff } from './diff.ts';
import { Plan, type PlannedFault } from './faults/fault-plan.ts';
import type { FaultRule, FaultRuleInput } from './faults/fault-rule.ts';
import { SharedFaults } from './faults/shared-faults.ts';
import { toFixtureJson } from './fixture.ts';
import { toItems, type ItemInput } from './item-input.ts';
import { createJournal, type Journal, type OwnJournal } from './journal.ts';
import type { JournalBudget } from './journal-budget.ts';
import type { JournalSharing } from './peers/journal-sharing.ts';
import { BodyKeeper } from './keep-body.ts';
import { KeptExchange, updatedOf } from './kept-exchange.ts';
import type { Answered, Engine } from './mock.ts';
import { defaultPolicy, type Policy } from './policy.ts';
import { checkName, explainAsInvalid, toExpiry } from './sandbox-options.ts';
import { readSettings, writeSettings, type SandboxSettings } from './sandbox-settings.ts';
import { changeSettings } from './settings-from-options.ts';
import {
  SandboxError,
  type Sandbox,
  type SandboxChanges,
  type SandboxEvent,
  type SandboxLimits,
} from './sandbox.ts';

/** What a sandbox needs of the mock that it belongs to. */
export interface SandboxHost {
  readonly storage: SandboxStorage;
  readonly limits: SandboxLimits;
  /** The time in milliseconds since the epoch, with fractions. */
  readonly now: () => number;
  /** How requests come. */
  readonly transport: 'http' | 'fetch';
  /** The keys that open a sandbox, as far as they are not the storage's business. */
  keysOf(id: string): ApiKeys;
  readonly onBug: ((error: unknown) => void) | undefined;
  /** Is told what time it is, with every exchange. */
  noteTime(now: number): void;
  /** Is given every exchange in place of the journal. Left out: the journal keeps it. */
  readonly forward: ((sandbox: string, exchange: KeptExchange) => void) | undefined;
  /** Is told of each journal that grew or shrank. */
  readonly journalBudget: JournalBudget;
  /** Makes journals one with those of other processes. Left out: there are none. */
  readonly sharing: JournalSharing | undefined;
  /** Whether anybody is told of events. */
  isHeard(id: string): boolean;
  emit(event: SandboxEvent): void;
}

/** A sandbox in use: what is stored of it, and what only this process knows. */
export class LiveSandbox implements Sandbox {
  readonly #host: SandboxHost;
  #stored: StoredSandbox;
  #settings: SandboxSettings;
  #policy: Policy;
  readonly #plan: Plan;
  /** Left out: this process counts alone. */
  readonly #sharedFaults: SharedFaults | undefined;
  /** Settled when the last change of its settings or snapshots is. */
  #lastChange: Promise<unknown> = Promise.resolve();
  #ownJournal: OwnJournal | undefined;
  #sharedJournal: Journal | undefined;
  #bodies: BodyKeeper | undefined;
  #usedAt = 0;
  /** What its requests are answered with. */
  engine: Engine;

  constructor(host: SandboxHost, stored: StoredSandbox, settings: SandboxSettings) {
    this.#host = host;
    this.#stored = stored;
    this.#settings = settings;
    this.#policy = toWholePolicy(settings);
    this.#plan = toPlan(settings, host.transport);
    if (stored.advance !== undefined) {
      this.#sharedFaults = new SharedFaults(this.#plan, {
        sandbox: stored.id,
        advance: (steps) => this.#advance(steps),
        read: async () => (await this.#stored.counters?.()) ?? new Map<string, number>(),
        onBug: host.onBug,
      });
    }
    this.engine = this.#toEngine();
  }

  get id(): string {
    return this.#stored.id;
  }

  get name(): string {
    return this.#settings.name;
  }

  get fixture(): string {
    return this.#settings.fixture;
  }

  get createdAt(): number {
    return this.#settings.createdAt;
  }

  get expiresAt(): number | undefined {
    return this.#stored.expiresAt;
  }

  get policy(): Policy {
    return this.#policy;
  }

  get scenario(): string | undefined {
    return this.#settings.scenario;
  }

  get scenarios(): readonly string[] {
    return Object.keys(this.#settings.scenarios);
  }

  get seed(): number {
    return this.#settings.seed;
  }

  get isTemporary(): boolean {
    return this.#settings.isTemporary === true;
  }

  get settings(): SandboxSettings {
    return this.#settings;
  }

  get journal(): Journal {
    this.#sharedJournal ??= this.#host.sharing?.share(this);
    return this.#sharedJournal ?? this.ownJournal;
  }

  /** What this process has answered. */
  get ownJournal(): OwnJournal {
    // Made when it is needed: most of ten thousand sandboxes are idle.
    this.#ownJournal ??= this.#makeJournal();
    return this.#ownJournal;
  }

  /** When the last exchange began, in milliseconds since the epoch; 0 where there was none. */
  get usedAt(): number {
    return this.#usedAt;
  }

  /** How many bytes the journal takes. */
  get journalBytes(): number {
    return this.#ownJournal?.bytes ?? 0;
  }

  /** Settled when all that requests leave to be counted is; left out where there is nothing. */
  get counting(): Promise<void> | undefined {
    return this.#sharedFaults?.counting;
  }

  /** Ends what waits for this sandbox, which is no more. */
  close(): void {
    this.#host.journalBudget.note(-this.journalBytes);
    // Made for it where there is none: somebody may be about to wait.
    this.ownJournal.close();
  }

  /** Takes note of what the storage holds now: another process may have changed the settings. */
  adopt(stored: StoredSandbox): void {
    if (stored === this.#stored) return;
    const changed = stored.settings !== this.#stored.settings;
    this.#stored = stored;
    if (changed) {
      const settings = readSettings(stored.settings, this.#host.onBug);
      this.#use(settings, toPlan(settings, this.#host.transport));
    } else this.engine = this.#toEngine();
  }

  async items(): Promise<readonly InventoryItem[]> {
    return [...(await this.#stored.store.items())];
  }

  async count(): Promise<number> {
    const { store } = this.#stored;
    if (store.count !== undefined) return store.count();
    return [...(await store.items())].length;
  }

  async list(): Promise<readonly Uint8Array[]> {
    return this.#stored.store.list();
  }

  async update(petId: bigint, change: Partial<StockChange>): Promise<UpdatedItem> {
    const { store } = this.#stored;
    const quantity = change.quantity ?? (await store.get(petId))?.quantity;
    const item =
      quantity === undefined ? undefined : await store.update(petId, { ...change, quantity });
    if (item === undefined) {
      throw new SandboxError('notFound', `there is no pet with petId ${petId} in ${this.#title()}`);
    }
    this.#emit({ type: 'change', sandbox: this, item });
    return item;
  }

  async set(items: Iterable<ItemInput>): Promise<void> {
    await this.replace(explainAsInvalid(() => toItems(items)));
  }

  async replace(items: Iterable<InventoryItem>): Promise<void> {
    const replacement = [...items];
    const { pets } = this.#host.limits;
    if (replacement.length > pets) {
      throw new SandboxError(
        'limit',
        `an inventory may be given at most ${pets} pets; got ${replacement.length}`,
      );
    }
    await this.#stored.store.replace(replacement);
    this.#emit({ type: 'replaced', sandbox: this });
  }

  async reset(): Promise<void> {
    await this.#stored.reset();
    this.#emit({ type: 'replaced', sandbox: this });
  }

  snapshot(name: string): Promise<SnapshotEntry> {
    return this.#inTurn(() => this.#snapshot(name));
  }

  async #snapshot(name: string): Promise<SnapshotEntry> {
    checkName(name, 'the name of a snapshot');
    const taken = await this.#stored.snapshots();
    const most = this.#host.limits.snapshots;
    if (taken.length >= most && !taken.some((snapshot) => snapshot.name === name)) {
      throw new SandboxError(
        'limit',
        `${this.#title()} has ${most} snapshots, which is the limit; delete one, or give the name of one to replace it`,
      );
    }
    const createdAt = Math.floor(this.#host.now());
    await this.#stored.takeSnapshot(name, createdAt);
    this.#emit({ type: 'sandbox', sandbox: this });
    return { name, createdAt };
  }

  async snapshots(): Promise<readonly SnapshotEntry[]> {
    return this.#stored.snapshots();
  }

  async restore(name: string): Promise<void> {
    if (!(await this.#stored.restoreSnapshot(name))) throw await this.#noSuchSnapshot(name);
    this.#emit({ type: 'replaced', sandbox: this });
  }

  async deleteSnapshot(name: string): Promise<void> {
    if (!(await this.#stored.deleteSnapshot(name))) throw await this.#noSuchSnapshot(name);
    this.#emit({ type: 'sandbox', sandbox: this });
  }

  async diff(snapshot?: string): Promise<InventoryDiff> {
    const before =
      snapshot === undefined
        ? await this.#stored.seed()
        : await this.#stored.snapshotItems(snapshot);
    if (before === undefined) throw await this.#noSuchSnapshot(snapshot ?? '');
    return diffInventories(before, await this.#stored.store.items());
  }

  async export(): Promise<string> {
    const { policy, scenarios } = this.#settings;
    return [...toFixtureJson(await this.items(), { policy, scenarios })].join('');
  }

  configure(changes: SandboxChanges): Promise<void> {
    return this.#change((before, plan) => {
      const settings = changeSettings(before, changes);
      const { timeToLive } = changes;
      const expiresAt =
        timeToLive === undefined ? this.expiresAt : toExpiry(timeToLive, this.#host.now());
      explainAsInvalid(() => {
        // What is on goes on counting; only what is new begins anew.
        if (settings.seed !== before.seed) plan.restart(settings.seed);
        if (settings.scenario !== before.scenario) plan.play(settings.scenario, playedBy(settings));
      });
      return { settings, expiresAt, result: undefined };
    });
  }

  async faults(): Promise<readonly PlannedFault[]> {
    if (this.#sharedFaults === undefined) return this.#plan.views();
    if (!(await this.#refresh())) throw this.#gone();
    return this.#sharedFaults.views();
  }

  addFault(input: FaultRuleInput): Promise<PlannedFault> {
    return this.#change((settings, plan) => {
      const result = explainAsInvalid(() => plan.add(input));
      return { settings, expiresAt: this.expiresAt, result };
    });
  }

  removeFault(id: string): Promise<void> {
    return this.#change((settings, plan) => {
      const isAdded = plan.planned.some((planned) => planned.id === id && !planned.isPlayed);
      if (!isAdded) {
        throw new SandboxError(
          'notFound',
          `there is no fault ${quoteText(id)} among those that were added to ${this.#title()}; a scenario's go with the scenario`,
        );
      }
      plan.remove(id);
      return { settings, expiresAt: this.expiresAt, result: undefined };
    });
  }

  setFaults(inputs: readonly FaultRuleInput[]): Promise<void> {
    return this.#change((settings, plan) => {
      explainAsInvalid(() => plan.replace(inputs));
      return { settings, expiresAt: this.expiresAt, result: undefined };
    });
  }

  /** Takes note of exchanges that another process has answered. */
  adoptExchanges(exchanges: readonly KeptExchange[]): void {
    for (const exchange of exchanges) {
      if (this.#host.limits.exchanges > 0) {
        const before = this.journalBytes;
        this.ownJournal.adopt(exchange);
        this.#noteUse(exchange.at, before);
      }
      // A storage that tells of changes does so in their order; these come later, in batches.
      const tellsItself = this.#host.storage.subscribe !== undefined;
      this.#tellOf(exchange.fault, tellsItself ? undefined : updatedOf(exchange));
    }
  }

  /** Takes note of one exchange. */
  #onAnswer(answered: Answered): void {
    const { startedAt, interference } = answered;
    this.#host.noteTime(startedAt);
    if (interference !== undefined) this.#sharedFaults?.noteAnswer(interference);
    if (this.#host.forward === undefined) {
      if (this.#host.limits.exchanges > 0) this.#record(answered);
      const { outcome } = answered;
      this.#tellOf(interference?.fault, outcome.kind === 'updated' ? outcome.item : undefined);
      return;
    }
    this.#bodies ??= new BodyKeeper(keptBodyBytes);
    const kept = new KeptExchange();
    // Not those of this sandbox: it may be served alone, with others.
    const { apiKeys } = answered.engine;
    kept.fill(answered, 0, startedAt, this.#durationOf(answered), apiKeys, this.#bodies);
    this.#host.forward(this.id, kept);
  }

  #record(answered: Answered): void {
    const { startedAt } = answered;
    const duration = this.#durationOf(answered);
    const { apiKeys } = answered.engine;
    const before = this.journalBytes;
    this.ownJournal.record(answered, { startedAt, duration, apiKeys });
    this.#noteUse(startedAt, before);
  }

  /** What is delayed is on its way for longer than the engine took. */
  #durationOf({ startedAt, response }: Answered): number {
    return this.#host.now() - startedAt + (response.delivery?.delay ?? 0);
  }

  /** @param before how many bytes the journal took */
  #noteUse(at: number, before: number): void {
    this.#usedAt = at;
    this.#host.journalBudget.note(this.journalBytes - before);
  }

  /** Tells of the exchange that came last. */
  #tellOf(fault: KeptExchange['fault'], item: UpdatedItem | undefined): void {
    if (!this.#host.isHeard(this.id)) return;
    const keepsJournal = this.#host.limits.exchanges > 0;
    const [exchange] = keepsJournal ? this.ownJournal.find({ limit: 1 }).exchanges : [];
    if (exchange !== undefined) this.#emit({ type: 'exchange', sandbox: this, exchange });
    if (fault !== undefined) this.#emit({ type: 'fault', sandbox: this, fault });
    if (item !== undefined) this.#emit({ type: 'change', sandbox: this, item });
  }

  #makeJournal(): OwnJournal {
    const { limits, now, onBug, sharing } = this.#host;
    return createJournal({
      limit: limits.exchanges,
      bytes: limits.journalBytes,
      now,
      ...(sharing === undefined
        ? {}
        : { nextSequence: (last, at) => sharing.nextSequence(last, at) }),
      ...(onBug === undefined ? {} : { onBug }),
    });
  }

  /**
   * Changes settings and faults: one change after another, and in the storage first.
   *
   * @param make changes the plan, which is a copy
   */
  #change<T>(
    make: (
      settings: SandboxSettings,
      plan: Plan,
    ) => { settings: SandboxSettings; expiresAt: number | undefined; result: T },
  ): Promise<T> {
    return this.#inTurn(async () => {
      for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
        // What another process has changed stays.
        // oxlint-disable-next-line no-await-in-loop -- again only where one was faster
        if (!(await this.#refresh())) throw this.#gone();
        const plan = toPlan(this.#settings, this.#host.transport);
        const { settings, expiresAt, result } = make(this.#settings, plan);
        const kept = { ...settings, rules: plan.rules, numbering: plan.numbering };
        // oxlint-disable-next-line no-await-in-loop -- as above
        if (await this.#keep(kept, plan, expiresAt)) return result;
      }
      throw new SettingsChangedError(this.id);
    });
  }

  /** Begins a change with what the ones before it have left, or two at once would lose one. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#lastChange.then(change);
    this.#lastChange = changed.catch(() => undefined);
    return changed;
  }

  /** @returns `false` where another process has changed the settings meanwhile */
  async #keep(
    settings: SandboxSettings,
    plan: Plan,
    expiresAt: number | undefined,
  ): Promise<boolean> {
    const stored = await this.#host.storage.configure(this.id, {
      settings: writeSettings(settings),
      before: this.#stored.settings,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      counters: plan.counters,
    });
    if (stored === undefined) throw this.#gone();
    if (stored === 'changed') return false;
    this.#stored = stored;
    this.#use(settings, plan);
    this.#emit({ type: 'sandbox', sandbox: this });
    return true;
  }

  #use(settings: SandboxSettings, plan: Plan): void {
    // Another sandbox of the same id: what is called the same there has counted nothing, and what
    // was exchanged with the one before is not its own.
    if (settings.createdAt !== this.createdAt) {
      this.#plan.adopt(new Plan({}));
      this.#ownJournal?.clear();
    }
    this.#settings = settings;
    this.#policy = toWholePolicy(settings);
    this.#plan.adopt(plan);
    this.engine = this.#toEngine();
  }

  /** Counts with the other processes. Where the rules have changed, they are read anew instead. */
  async #advance(steps: readonly CounterStep[]): Promise<readonly number[] | undefined> {
    const values = await this.#stored.advance?.(steps);
    if (values === undefined && !(await this.#refresh())) throw new SandboxGoneError(this.id);
    return values;
  }

  /** Takes note of what the storage holds now. @returns whether it is still there */
  async #refresh(): Promise<boolean> {
    const stored = await this.#host.storage.get(this.id);
    if (stored !== undefined) this.adopt(stored);
    return stored !== undefined;
  }

  #gone(): SandboxError {
    return new SandboxError('notFound', `${this.#title()} is gone: it expired or was deleted`);
  }

  #toEngine(): Engine {
    return {
      store: this.#stored.judgedStore ?? this.#stored.store,
      // Whoever comes here was let in by a key already; the default sandbox has a list of its own.
      apiKeys: this.#host.keysOf(this.id),
      policy: this.#policy,
      fault: this.#sharedFaults?.fault ?? this.#plan.fault,
      onAnswer: (answered) => this.#onAnswer(answered),
      now: this.#host.now,
    };
  }

  async #noSuchSnapshot(name: string): Promise<SandboxError> {
    const names = (await this.snapshots()).map((snapshot) => quoteText(snapshot.name));
    const there = names.length === 0 ? 'there is none yet' : `there are ${names.join(', ')}`;
    return new SandboxError(
      'notFound',
      `there is no snapshot ${quoteText(name)} of ${this.#title()}; ${there}`,
    );
  }

  #title(): string {
    return `sandbox "${this.id}"`;
  }

  #emit(event: SandboxEvent): void {
    if (this.#host.isHeard(this.id)) this.#host.emit(event);
  }
}

/** How often a change starts again because another process has changed the settings meanwhile. */
const mostAttempts = 10;

/** As much as a journal keeps. */
const keptBodyBytes = 4096;

function toWholePolicy({ policy }: SandboxSettings): Policy {
  return { ...defaultPolicy, ...policy };
}

/** @throws {RangeError} for a fault that the transport cannot make */
export function toPlan(settings: SandboxSettings, transport: SandboxHost['transport']): Plan {
  return Plan.from({ ...settings, played: playedBy(settings) }, transport);
}

/** The rules of the scenario that is on. */
function playedBy({ scenario, scenarios }: SandboxSettings): readonly FaultRule[] {
  return (scenario === undefined ? undefined : scenarios[scenario]) ?? [];
}
