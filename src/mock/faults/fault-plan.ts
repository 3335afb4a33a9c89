import type { OperationId } from '../../../contracts/case.ts';
import { parsePetId } from '../../inventory/pet-id.ts';
import { describeValue, refuseUnknownOptions } from '../check-options.ts';
import type { FaultHit, MockResponse } from '../exchange.ts';
import type { Fault, Interference } from '../mock.ts';
import { toOutcome } from '../override.ts';
import type { Effect } from './fault-kind.ts';
import { operationsOf, toFaultRule, type FaultRule, type FaultRuleInput } from './fault-rule.ts';
import { kindOf } from './kinds.ts';
import { createDelivery, describeImpossible, impossibleOverFetch } from './over-fetch.ts';
import { parsePreferences, withPreferencesApplied, type Preferences } from './preferences.ts';
import { createRandom } from './random.ts';
import { maximumRules } from './scenarios.ts';

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
  readonly fault: Fault;
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

/** A rule and how far it has come. */
interface Planned {
  readonly id: string;
  readonly scenario?: string;
  readonly rule: FaultRule;
  readonly operations: readonly OperationId[];
  /** Decides its random numbers. */
  readonly place: number;
  random: () => number;
  seen: number;
  hits: number;
}

/** What hits a request: all delays, and the first of the other effects. */
interface Strike {
  delay: number;
  effect?: Effect;
  fault?: FaultHit;
}

class Plan implements FaultPlan {
  readonly #transport: 'http' | 'fetch';
  #seed: number;
  #scenario: string | undefined;
  #played: readonly Planned[] = [];
  #added: readonly Planned[] = [];
  #lastId = 0;
  #lastPlace = 0;

  constructor({ rules = [], seed = 1, transport = 'http' }: FaultPlanOptions) {
    this.#transport = transport;
    this.#seed = toSeed(seed);
    this.replace(rules);
  }

  readonly fault: Fault = (operation, request, segment) => {
    const header = request.header('prefer');
    if (header === undefined) return toInterference(this.#strike(operation, segment), {});
    const preferences = parsePreferences(header, operation);
    if (!preferences.ok) return { outcome: { kind: 'invalid', message: preferences.message } };
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

  add(input: FaultRuleInput): PlannedFault {
    const rule = this.#read(input, 'rule');
    if (this.#added.length >= maximumRules) throw new TooManyRulesError(this.#added.length + 1);
    const planned = this.#plan(rule, this.#lastPlace + 1);
    this.#lastPlace += 1;
    this.#added = [...this.#added, planned];
    return toView(planned);
  }

  remove(id: string): boolean {
    const stays = (planned: Planned): boolean => planned.id !== id;
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
    return this.#added.map(toView);
  }

  play(name?: string, inputs: readonly FaultRuleInput[] = []): void {
    const rules = this.#readAll(inputs, 'rules');
    this.#scenario = name;
    // Below 0, so that those which are added keep their numbers, whatever scenario is on.
    this.#played = rules.map((rule, index) => this.#plan(rule, -1 - index, name));
  }

  restart(seed: number = this.#seed): void {
    this.#seed = toSeed(seed);
    for (const planned of [...this.#played, ...this.#added]) {
      planned.random = createRandom(this.#seed, planned.place);
      planned.seen = 0;
      planned.hits = 0;
    }
  }

  views(): readonly PlannedFault[] {
    return [...this.#played, ...this.#added].map(toView);
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

  #plan(rule: FaultRule, place: number, scenario?: string): Planned {
    this.#lastId += 1;
    return {
      id: `f${this.#lastId}`,
      ...(scenario === undefined ? {} : { scenario }),
      rule,
      operations: operationsOf(rule),
      place,
      random: createRandom(this.#seed, place),
      seen: 0,
      hits: 0,
    };
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
  planned: Planned,
  operation: OperationId,
  segment: string | undefined,
  strike: Strike,
): void {
  if (!fits(planned, operation, segment) || !isDue(planned)) return;
  const { id, rule, random } = planned;
  const { kind } = rule.fault;
  if (kind !== 'delay' && strike.effect !== undefined) return;
  planned.hits += 1;
  const effect = kindOf(rule.fault).hit(rule.fault, { operation, random });
  if (kind === 'delay') {
    strike.delay += effect.delay ?? 0;
    strike.fault ??= { id, kind };
  } else {
    strike.effect = effect;
    strike.fault = { id, kind };
  }
}

function fits(
  { operations, rule }: Planned,
  operation: OperationId,
  segment: string | undefined,
): boolean {
  return (
    operations.includes(operation) &&
    (rule.petId === undefined || parsePetId(segment ?? '') === rule.petId)
  );
}

function isDue(planned: Planned): boolean {
  const { nth, every, probability, times } = planned.rule;
  planned.seen += 1;
  // Drawn for every request, so that what is drawn does not depend on what happened before.
  const isChosen = probability === undefined || planned.random() < probability;
  return (
    isChosen &&
    (nth === undefined || planned.seen === nth) &&
    (every === undefined || planned.seen % every === 0) &&
    (times === undefined || planned.hits < times)
  );
}

/** What a request gets that says which status it wants: rules are not asked about it. */
function toForcedStrike(
  operation: OperationId,
  code: NonNullable<Preferences['code']>,
): Strike | undefined {
  const outcome = toOutcome(
    operation,
    code,
    `the request asked to be answered with ${code} (Prefer: code=${code})`,
  );
  if (outcome === undefined) return undefined;
  return { delay: 0, effect: { outcome }, fault: { id: 'prefer', kind: 'error' } };
}

function toInterference(
  strike: Strike | undefined,
  preferences: Preferences,
): Interference | undefined {
  const { code, wait = 0 } = preferences;
  if (strike === undefined && code === undefined && preferences.wait === undefined) {
    return undefined;
  }
  const { effect, fault = wait > 0 ? { id: 'prefer', kind: 'delay' } : undefined } = strike ?? {};
  const delay = (strike?.delay ?? 0) + wait * 1000;
  return {
    ...(fault === undefined ? {} : { fault }),
    ...(effect?.outcome === undefined ? {} : { outcome: effect.outcome }),
    spoil(response) {
      const told = withPreferencesApplied(response, preferences);
      const spoilt = withDelivery(effect?.spoil?.(told) ?? told, delay, effect);
      return fault === undefined ? spoilt : { ...spoilt, fault };
    },
  };
}

function withDelivery(
  response: MockResponse,
  delay: number,
  effect: Effect | undefined,
): MockResponse {
  const damage = effect?.damage?.(response);
  return delay === 0 && damage === undefined
    ? response
    : { ...response, delivery: createDelivery(delay, damage) };
}

function toView({ id, scenario, rule, seen, hits }: Planned): PlannedFault {
  return { id, ...(scenario === undefined ? {} : { scenario }), rule, seen, hits };
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
