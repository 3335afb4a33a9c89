import type { OperationId } from '../../../contracts/case.ts';
import type { CounterStep } from '../../inventory/sandbox-storage.ts';
import { StoreUnavailableError, type MaybePromise } from '../../inventory/store.ts';
import type { Fault } from '../mock.ts';
import { toView, type Plan, type PlannedFault } from './fault-plan.ts';
import type { PlannedRule } from './planned-rule.ts';
import { parsePreferences } from './preferences.ts';
import { addEffect, toForcedStrike, toInterference, type Strike } from './strike.ts';

/** Where several processes count together. */
export interface SharedCounters {
  /**
   * Adds to counters.
   *
   * @returns their new values; `undefined` where the rules had changed: nothing was counted then, and
   * the plan has been brought up to date
   */
  advance(steps: readonly CounterStep[]): Promise<readonly number[] | undefined>;
  /** The counters that are not 0. */
  read(): Promise<ReadonlyMap<string, number>>;
}

/** How often an operation starts again because the rules were changed meanwhile. */
const mostAttempts = 10;

/**
 * The faults of a plan that several processes have alike: they count together what each of them is
 * asked about, so that the rules do what they would do in one process.
 *
 * What a rule with a counter does waits for the number of its request. What other rules have seen and
 * hit is only shown, and counted behind the request's back.
 */
export class SharedFaults {
  readonly #plan: Plan;
  readonly #counters: SharedCounters;
  /** What is still to be counted, by counter. */
  #pending = new Map<string, number>();
  #counting: Promise<void> | undefined;

  constructor(plan: Plan, counters: SharedCounters) {
    this.#plan = plan;
    this.#counters = counters;
  }

  readonly fault: Fault = (operation, request, segment) => {
    const header = request.header('prefer');
    const preferences = header === undefined ? undefined : parsePreferences(header, operation);
    if (preferences?.ok === false) {
      return { outcome: { kind: 'invalid', message: preferences.message } };
    }
    const { code } = preferences ?? {};
    const strike =
      code === undefined ? this.#strike(operation, segment) : toForcedStrike(operation, code);
    return strike instanceof Promise
      ? strike.then((known) => toInterference(known, preferences ?? {}))
      : toInterference(strike, preferences ?? {});
  };

  /** The rules that are on, with what all processes have counted. */
  async views(): Promise<readonly PlannedFault[]> {
    if (this.#plan.planned.length === 0) return [];
    await this.#counting;
    const counts = await this.#counters.read();
    return this.#plan.planned.map((planned) => {
      const seen = counts.get(planned.seenCounter) ?? 0;
      const { times = Infinity } = planned.rule;
      const hits = planned.isDelay
        ? planned.hitsAmong(seen)
        : Math.min(counts.get(planned.hitsCounter) ?? 0, times);
      return toView(planned, { seen, hits });
    });
  }

  #strike(operation: OperationId, segment: string | undefined): MaybePromise<Strike | undefined> {
    const fitting = this.#plan.fitting(operation, segment);
    if (fitting.length === 0) return undefined;
    return fitting.some(({ isCounting }) => isCounting)
      ? this.#strikeInTurn(operation, segment, fitting)
      : this.#strikeAtOnce(operation, fitting);
  }

  /** None of the rules has to know how many requests came before. */
  #strikeAtOnce(operation: OperationId, fitting: readonly PlannedRule[]): Strike | undefined {
    const strike: Strike = { delay: 0 };
    for (const planned of fitting) {
      this.#countLater(planned.seenCounter);
      if (planned.isSpent) continue;
      if (!planned.isDelay) {
        if (strike.effect !== undefined) continue;
        this.#countLater(planned.hitsCounter);
      }
      addEffect(strike, planned, planned.hit(operation));
    }
    return strike.fault === undefined ? undefined : strike;
  }

  async #strikeInTurn(
    operation: OperationId,
    segment: string | undefined,
    known: readonly PlannedRule[],
  ): Promise<Strike | undefined> {
    let fitting = known;
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const steps = fitting.map(({ seenCounter }): CounterStep => [seenCounter, 1]);
      // oxlint-disable-next-line no-await-in-loop -- again only where the rules were changed
      const numbers = await this.#counters.advance(steps);
      if (numbers !== undefined) return this.#strikeAs(operation, fitting, numbers);
      fitting = this.#plan.fitting(operation, segment);
      if (fitting.length === 0) return undefined;
    }
    throw tooBusy();
  }

  /** @param numbers which of the requests that fit it this is, for each rule */
  async #strikeAs(
    operation: OperationId,
    fitting: readonly PlannedRule[],
    numbers: readonly number[],
  ): Promise<Strike | undefined> {
    const strike: Strike = { delay: 0 };
    // Without a pause: a request that comes later must not be ahead of this one.
    const chosen = fitting.filter((planned, index) => {
      if (!planned.goTo(numbers[index] ?? 0) || planned.isUsedUp) return false;
      if (!planned.isDelay) return true;
      planned.hits += 1;
      addEffect(strike, planned, planned.hit(operation));
      return false;
    });
    for (const planned of chosen) {
      // oxlint-disable-next-line no-await-in-loop -- the next one counts only where this one does not
      if (!(await this.#takeHit(planned))) continue;
      addEffect(strike, planned, planned.hit(operation));
      break;
    }
    return strike.fault === undefined ? undefined : strike;
  }

  /** Counts a hit. @returns `false` where others have taken all that the rule may have */
  async #takeHit(planned: PlannedRule): Promise<boolean> {
    const { times = Infinity } = planned.rule;
    const step: CounterStep = [planned.hitsCounter, 1];
    for (let attempt = 0; attempt < mostAttempts && !planned.isUsedUp; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- again only where the rules were changed
      const [hits] = (await this.#counters.advance([step])) ?? [];
      if (hits !== undefined) {
        planned.hits = Math.max(planned.hits, Math.min(hits, times));
        return hits <= times;
      }
      // It was taken away since it saw the request.
      if (!this.#plan.planned.includes(planned)) return false;
    }
    if (planned.isUsedUp) return false;
    throw tooBusy();
  }

  #countLater(counter: string): void {
    this.#pending.set(counter, (this.#pending.get(counter) ?? 0) + 1);
    this.#counting ??= this.#count().finally(() => {
      this.#counting = undefined;
    });
  }

  async #count(): Promise<void> {
    for (let attempt = 0; attempt < mostAttempts && this.#pending.size > 0; attempt += 1) {
      // What the same request adds goes along. Then one step after another: meanwhile, others gather.
      // oxlint-disable-next-line no-await-in-loop -- as above
      await Promise.resolve();
      const steps = this.#takePending();
      try {
        // oxlint-disable-next-line no-await-in-loop -- as above
        const values = steps.length === 0 ? [] : await this.#counters.advance(steps);
        if (values === undefined) this.#putBack(steps);
        else attempt = 0;
      } catch {
        // The storage is away: the next request tries again.
        this.#putBack(steps);
        return;
      }
    }
  }

  /** Counters of rules that are no more are left out. */
  #takePending(): readonly CounterStep[] {
    const pending = this.#pending;
    this.#pending = new Map();
    return this.#plan.counters.flatMap((counter): readonly CounterStep[] => {
      const by = pending.get(counter);
      return by === undefined ? [] : [[counter, by]];
    });
  }

  #putBack(steps: readonly CounterStep[]): void {
    for (const [counter, by] of steps) {
      this.#pending.set(counter, (this.#pending.get(counter) ?? 0) + by);
    }
  }
}

function tooBusy(): Error {
  return new StoreUnavailableError(
    `the faults of the sandbox were changed ${mostAttempts} times while a request was counted; nothing was changed`,
    1,
  );
}
