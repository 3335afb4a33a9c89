import type { OperationId } from '../../../contracts/case.ts';
import { describeValue, refuseUnknownOptions } from '../check-options.ts';
import type { Fault, Interference } from '../mock.ts';
import { toFaultRule, type FaultRule, type FaultRuleInput } from './fault-rule.ts';
import { describeImpossible, impossibleOverFetch } from './over-fetch.ts';
import { PlannedRule } from './planned-rule.ts';
import { parsePreferences } from './preferences.ts';
import { maximumRules } from './scenarios.ts';
import { addEffect, toForcedStrike, toInterference, toRefusal, type Strike } from './strike.ts';

export interface FaultPlanOptions {
  /** The rules to begin with, as if they had been added. */
  readonly rules?: readonly FaultRuleInput[];
  /** An int32 that decides what is random. Left out: 1. */
  readonly seed?: number;
  /**
   * `fetch` where every client comes by MSW or another way without a connection: what cannot be
   * made there is refused. Left out: `http`.
   */
  readonly transport?: 'http' | 'fetch';
}

/** A rule that is on, with what became of it. */
export interface PlannedFault {
  readonly id: string;
  /** The scenario it belongs to. Left out: it was added by itself. */
  readonly scenario?: string;
  readonly rule: FaultRule;
  /** How many requests it was asked about: those that its operation and petId fit. */
  readonly seen: number;
  /** How many of them it hit. */
  readonly hits: number;
}

/**
 * The misbehaviour that somebody asked for, of one mock: rules, and what single requests ask for in
 * `Prefer`. The same rules, seed and requests give the same run: every rule has random numbers of
 * its own, which depend on the seed and on its place among the rules alone.
 */
export interface FaultPlan {
  /** What the engine asks about every request that has a valid key. */
  readonly fault: (...asked: Parameters<Fault>) => Interference | undefined;
  readonly seed: number;
  /** The scenario that is on. */
  readonly scenario: string | undefined;
  /**
   * Adds a rule behind the others.
   *
   * @throws {RangeError} naming what is wrong with it, and where there are too many
   * @throws {TypeError} for what is no object
   */
  add(rule: FaultRuleInput): PlannedFault;
  /** @returns whether there was such a rule */
  remove(id: string): boolean;
  /** Takes away the rules that were added. Those of the scenario stay. */
  clear(): void;
  /**
   * Puts rules in the place of those that were added. Where one is wrong, all stays as it is.
   *
   * @throws like {@link FaultPlan.add}
   */
  replace(rules: readonly FaultRuleInput[]): readonly PlannedFault[];
  /**
   * Switches to another scenario; its rules are asked before those that were added. They begin anew,
   * also where the same one is on already.
   *
   * @param rules left out with the name: no scenario
   * @throws like {@link FaultPlan.add}
   */
  play(name?: string, rules?: readonly FaultRuleInput[]): void;
  /**
   * Begins anew: no rule has seen a request.
   *
   * @param seed left out: it stays as it is
   * @throws {RangeError} for what is no int32
   */
  restart(seed?: number): void;
  /** The rules that are on, in the order they are asked. */
  views(): readonly PlannedFault[];
}

/**
 * Creates a plan.
 *
 * @throws {RangeError} for a wrong rule or seed
 * @throws {TypeError} for a rule that is no object, and for an option that there is not
 * @example
 * const plan = createFaultPlan({
 *   rules: [{ every: 3, fault: { kind: 'unavailable', status: 503, retryAfter: 1 } }],
 * });
 * const mock = createMock({ store, apiKeys: ['my-key'], fault: plan.fault });
 */
export function createFaultPlan(options: FaultPlanOptions = {}): FaultPlan {
  refuseUnknownOptions(
    options,
    ['rules', 'seed', 'transport'],
    'the options of createFaultPlan',
    '{ seed: 7 }',
  );
  return new Plan(options);
}

/** What a plan is made of, and what another process needs to make the same one. */
export interface PlanState {
  /** The rules that were added. */
  readonly rules: readonly FaultRule[];
  /** The scenario that is on, and its rules. */
  readonly scenario?: string | undefined;
  readonly played: readonly FaultRule[];
  readonly seed: number;
  /** Left out: as in a plan that all of this was just given to. */
  readonly numbering?: Numbering | undefined;
}

/** What the rules of a plan are called and where they stand. */
export interface Numbering {
  /** How often all rules have begun anew. */
  readonly run: number;
  readonly lastId: number;
  readonly lastPlace: number;
  /** The ids of the scenario's rules, and of those that were added, with their places. */
  readonly played: readonly number[];
  readonly added: readonly (readonly [id: number, place: number])[];
}

/** A plan that several processes can have alike. */
export class Plan implements FaultPlan {
  readonly #transport: 'http' | 'fetch';
  #seed: number;
  #scenario: string | undefined;
  #played: readonly PlannedRule[] = [];
  #added: readonly PlannedRule[] = [];
  #run = 0;
  #lastId = 0;
  #lastPlace = 0;

  constructor({ rules = [], seed = 1, transport = 'http' }: FaultPlanOptions) {
    this.#transport = transport;
    this.#seed = toSeed(seed);
    this.replace(rules);
  }

  /**
   * A plan of what another one is made of.
   *
   * @throws {RangeError} for a fault that the transport cannot make
   */
  static from(state: PlanState, transport: 'http' | 'fetch'): Plan {
    const plan = new Plan({ rules: state.rules, seed: state.seed, transport });
    plan.play(state.scenario, state.played);
    if (state.numbering !== undefined) plan.#number(state.numbering);
    return plan;
  }

  readonly fault: FaultPlan['fault'] = (operation, request, segment) => {
    const header = request.header('prefer');
    if (header === undefined) return toInterference(this.#strike(operation, segment), {});
    const preferences = parsePreferences(header, operation);
    if (!preferences.ok) return toRefusal(preferences.message);
    return toInterference(
      preferences.code === undefined
        ? this.#strike(operation, segment)
        : toForcedStrike(operation, preferences.code),
      preferences,
    );
  };

  get seed(): number {
    return this.#seed;
  }

  get scenario(): string | undefined {
    return this.#scenario;
  }

  /** In the order they are asked. */
  get planned(): readonly PlannedRule[] {
    return [...this.#played, ...this.#added];
  }

  /** The names of all that its rules count. */
  get counters(): readonly string[] {
    return this.planned.flatMap(({ seenCounter, hitsCounter, isDelay }) =>
      isDelay ? [seenCounter] : [seenCounter, hitsCounter],
    );
  }

  /** The rules that were added. */
  get rules(): readonly FaultRule[] {
    return this.#added.map(({ rule }) => rule);
  }

  get numbering(): Numbering {
    return {
      run: this.#run,
      lastId: this.#lastId,
      lastPlace: this.#lastPlace,
      played: this.#played.map(({ numbers }) => numbers.id),
      added: this.#added.map(({ numbers }) => [numbers.id, numbers.place]),
    };
  }

  add(input: FaultRuleInput): PlannedFault {
    const rule = this.#read(input, 'rule');
    if (this.#added.length >= maximumRules) throw new TooManyRulesError(this.#added.length + 1);
    const planned = this.#plan(rule, this.#lastPlace + 1);
    this.#lastPlace += 1;
    this.#added = [...this.#added, planned];
    return toView(planned);
  }

  remove(id: string): boolean {
    const stays = (planned: PlannedRule): boolean => planned.id !== id;
    const before = this.#added.length + this.#played.length;
    this.#added = this.#added.filter(stays);
    this.#played = this.#played.filter(stays);
    return this.#added.length + this.#played.length < before;
  }

  clear(): void {
    this.#added = [];
    this.#lastPlace = 0;
  }

  replace(inputs: readonly FaultRuleInput[]): readonly PlannedFault[] {
    const rules = this.#readAll(inputs, 'rules');
    this.#added = rules.map((rule, index) => this.#plan(rule, index + 1));
    this.#lastPlace = rules.length;
    return this.#added.map((planned) => toView(planned));
  }

  play(name?: string, inputs: readonly FaultRuleInput[] = []): void {
    const rules = this.#readAll(inputs, 'rules');
    this.#scenario = name;
    // Below 0, so that those which are added keep their numbers, whatever scenario is on.
    this.#played = rules.map((rule, index) => this.#plan(rule, -1 - index, name));
  }

  restart(seed: number = this.#seed): void {
    this.#seed = toSeed(seed);
    this.#run += 1;
    const begin = ({ rule, numbers, scenario }: PlannedRule): PlannedRule =>
      this.#begin(rule, numbers.id, numbers.place, scenario);
    this.#played = this.#played.map(begin);
    this.#added = this.#added.map(begin);
  }

  views(): readonly PlannedFault[] {
    return this.planned.map((planned) => toView(planned));
  }

  /** Becomes like another plan. Rules that both have go on counting. */
  adopt(other: Plan): void {
    const known = new Map(this.planned.map((planned) => [planned.id, planned]));
    const keep = (planned: PlannedRule): PlannedRule => {
      const before = known.get(planned.id);
      return before?.isSameAs(planned) === true ? before : planned;
    };
    this.#seed = other.#seed;
    this.#scenario = other.#scenario;
    this.#played = other.#played.map(keep);
    this.#added = other.#added.map(keep);
    this.#run = other.#run;
    this.#lastId = other.#lastId;
    this.#lastPlace = other.#lastPlace;
  }

  /** The rules that fit a request, in the order they are asked. */
  fitting(operation: OperationId, segment: string | undefined): readonly PlannedRule[] {
    if (this.#played.length === 0 && this.#added.length === 0) return this.#added;
    return this.planned.filter((planned) => planned.fits(operation, segment));
  }

  #readAll(inputs: readonly FaultRuleInput[], name: string): readonly FaultRule[] {
    if (!Array.isArray(inputs)) {
      throw new TypeError(`${name} must be a list of rules; got ${describeValue(inputs)}`);
    }
    if (inputs.length > maximumRules) throw new TooManyRulesError(inputs.length);
    return (inputs as readonly FaultRuleInput[]).map((input, index) =>
      this.#read(input, `${name}[${index}]`),
    );
  }

  #read(input: FaultRuleInput, name: string): FaultRule {
    const rule = toFaultRule(input, name);
    if (this.#transport === 'fetch' && impossibleOverFetch.includes(rule.fault.kind)) {
      throw new RangeError(`${name}.fault.kind: ${describeImpossible(rule.fault.kind)}`);
    }
    return rule;
  }

  #plan(rule: FaultRule, place: number, scenario?: string): PlannedRule {
    this.#lastId += 1;
    return this.#begin(rule, this.#lastId, place, scenario);
  }

  #begin(rule: FaultRule, id: number, place: number, scenario?: string): PlannedRule {
    return new PlannedRule(rule, { id, place, run: this.#run, seed: this.#seed }, scenario);
  }

  /** Where it is that of another plan, all stays as it is. */
  #number({ run, lastId, lastPlace, played, added }: Numbering): void {
    if (played.length !== this.#played.length || added.length !== this.#added.length) return;
    this.#run = run;
    this.#lastId = lastId;
    this.#lastPlace = lastPlace;
    this.#played = this.#played.map(({ rule, numbers, scenario }, index) =>
      this.#begin(rule, played[index] ?? 0, numbers.place, scenario),
    );
    this.#added = this.#added.map(({ rule }, index) =>
      this.#begin(rule, ...(added[index] ?? [0, 0])),
    );
  }

  #strike(operation: OperationId, segment: string | undefined): Strike | undefined {
    if (this.#played.length === 0 && this.#added.length === 0) return undefined;
    const strike: Strike = { delay: 0 };
    for (const planned of this.#played) meet(planned, operation, segment, strike);
    for (const planned of this.#added) meet(planned, operation, segment, strike);
    return strike.fault === undefined ? undefined : strike;
  }
}

/** Lets a rule see a request, and hit it where the time has come. */
function meet(
  planned: PlannedRule,
  operation: OperationId,
  segment: string | undefined,
  strike: Strike,
): void {
  if (!planned.fits(operation, segment)) return;
  if (!planned.goTo(planned.seen + 1) || planned.isUsedUp) return;
  if (!planned.isDelay && strike.effect !== undefined) return;
  planned.hits += 1;
  addEffect(strike, planned, planned.hit(operation));
}

/** @param counts what several processes have counted together. Left out: this one is alone */
export function toView(
  { id, scenario, rule, seen, hits }: PlannedRule,
  counts: Pick<PlannedFault, 'seen' | 'hits'> = { seen, hits },
): PlannedFault {
  const { seen: all, hits: hit } = counts;
  return { id, ...(scenario === undefined ? {} : { scenario }), rule, seen: all, hits: hit };
}

/** A plan is given more rules than it takes. */
export class TooManyRulesError extends RangeError {
  constructor(count: number) {
    super(`a mock takes at most ${maximumRules} rules; got ${count}`);
  }
}

function toSeed(seed: number): number {
  if (Number.isInteger(seed) && seed === (seed | 0)) return seed;
  throw new RangeError(
    `seed must be an integer from -2147483648 to 2147483647; got ${describeValue(seed)}`,
  );
}
