import type { OperationId } from '../../../contracts/case.ts';
import { parsePetId } from '../../inventory/pet-id.ts';
import { stringifyExactJson } from '../../json/exact-json.ts';
import type { Effect } from './fault-kind.ts';
import { operationsOf, type FaultRule } from './fault-rule.ts';
import { kindOf } from './kinds.ts';
import { createRandom } from './random.ts';

/** What a rule is called, and what its chances depend on. */
export interface RuleNumbers {
  /** No other rule of the mock has it, or had it. */
  readonly id: number;
  /** Where it stands among the rules. */
  readonly place: number;
  /** How often all rules have begun anew. */
  readonly run: number;
  readonly seed: number;
}

/**
 * A rule that is on, and how far it has come. What it does to a request follows from the rule, its
 * numbers, and how many of the requests that fit have come before.
 */
export class PlannedRule {
  readonly id: string;
  /** The scenario it belongs to. */
  readonly scenario: string | undefined;
  readonly rule: FaultRule;
  readonly numbers: RuleNumbers;
  /** Whether it only delays: then other rules do not keep it from hitting. */
  readonly isDelay: boolean;
  /** How many of the requests that fit it has been asked about. */
  seen = 0;
  /** How many it has hit, as far as this process knows. */
  hits = 0;
  readonly #operations: readonly OperationId[];
  readonly #isRandom: boolean;
  #random: () => number;

  constructor(rule: FaultRule, numbers: RuleNumbers, scenario?: string) {
    const { fault, probability } = rule;
    this.id = `f${numbers.id}`;
    this.scenario = scenario;
    this.rule = rule;
    this.numbers = numbers;
    this.isDelay = fault.kind === 'delay';
    this.#operations = operationsOf(rule);
    this.#isRandom =
      probability !== undefined || (fault.kind === 'delay' && !('milliseconds' in fault));
    this.#random = createRandom(numbers.seed, numbers.place);
  }

  /** The name of the counter of what it has seen. */
  get seenCounter(): string {
    const { run, id } = this.numbers;
    return `${run}.${id}`;
  }

  /** The name of the counter of what it has hit; delays need none. */
  get hitsCounter(): string {
    return `${this.seenCounter}h`;
  }

  /** Whether it has hit as often as it may. */
  get isUsedUp(): boolean {
    return this.rule.times !== undefined && this.hits >= this.rule.times;
  }

  /** Whether it belongs to a scenario. */
  get isPlayed(): boolean {
    return this.scenario !== undefined;
  }

  /** Whether it will never hit again. */
  get isSpent(): boolean {
    const { nth } = this.rule;
    return this.isUsedUp || (nth !== undefined && this.seen >= nth);
  }

  /** Whether what it does next depends on how many requests came before. */
  get isCounting(): boolean {
    const { nth, every, times } = this.rule;
    return (
      !this.isSpent &&
      (this.#isRandom || nth !== undefined || every !== undefined || times !== undefined)
    );
  }

  fits(operation: OperationId, segment: string | undefined): boolean {
    const { petId } = this.rule;
    return (
      this.#operations.includes(operation) &&
      (petId === undefined || parsePetId(segment ?? '') === petId)
    );
  }

  /**
   * Goes on to the n-th of the requests that fit, from 1.
   *
   * @returns whether number and chance choose it
   */
  goTo(n: number): boolean {
    if (n !== this.seen + 1) this.#skipTo(n - 1);
    return this.#chooseNext();
  }

  /** How many of the first n a delay has hit. */
  hitsAmong(n: number): number {
    if (n !== this.seen) this.#skipTo(n);
    return this.hits;
  }

  /** What it does to a request that it hits: the one that it has gone to. */
  hit(operation: OperationId): Effect {
    const { fault } = this.rule;
    return kindOf(fault).hit(fault, { operation, random: this.#random });
  }

  /** Whether it is the same rule, begun at the same time. */
  isSameAs({ rule, numbers, scenario }: PlannedRule): boolean {
    const { id, place, run, seed } = this.numbers;
    return (
      id === numbers.id &&
      place === numbers.place &&
      run === numbers.run &&
      seed === numbers.seed &&
      this.scenario === scenario &&
      stringifyExactJson(this.rule) === stringifyExactJson(rule)
    );
  }

  #skipTo(n: number): void {
    if (!this.#isRandom) {
      this.seen = n;
      if (this.isDelay) this.hits = Math.min(this.#countChosen(n), this.rule.times ?? Infinity);
      return;
    }
    if (n < this.seen) {
      // From the beginning: numbers are drawn one after another.
      this.#random = createRandom(this.numbers.seed, this.numbers.place);
      this.seen = 0;
      if (this.isDelay) this.hits = 0;
    }
    while (this.seen < n) {
      const isHit = this.#chooseNext() && this.isDelay && !this.isUsedUp;
      if (isHit) {
        this.hits += 1;
        // It draws what it drew for whoever was asked about that request.
        this.hit('listInventory');
      }
    }
  }

  #chooseNext(): boolean {
    const { nth, every, probability } = this.rule;
    this.seen += 1;
    // Drawn for every request, so that what is drawn does not depend on what happened before.
    const isChosen = probability === undefined || this.#random() < probability;
    return (
      isChosen &&
      (nth === undefined || this.seen === nth) &&
      (every === undefined || this.seen % every === 0)
    );
  }

  /** How many of the first n the number chooses, where chance has no part in it. */
  #countChosen(n: number): number {
    const { nth, every = 1 } = this.rule;
    return nth === undefined ? Math.floor(n / every) : Number(n >= nth);
  }
}
