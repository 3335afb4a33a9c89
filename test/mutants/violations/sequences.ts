import type { BrokenProvider } from '../mutant.ts';
import { toErrorReply } from '../replace-reply.ts';
import { Refusal, type Change, type Entry, type Reply, type World } from '../steps.ts';

/** Loses some updates: echoes them, and stores nothing. */
const loses =
  (createIsLost: () => (entry: Entry, quantity: bigint) => boolean): Change =>
  (base) => {
    const isLost = createIsLost();
    return {
      apply: (entry, quantity, exchange) =>
        isLost(entry, quantity) ? { ...entry, quantity } : base.apply(entry, quantity, exchange),
    };
  };

const everyNthRequest =
  (nth: number, reply: Reply): Change =>
  (base) => ({
    answer: async (exchange) => (exchange.number % nth === 0 ? reply : base.answer(exchange)),
  });

/** Answers in another way for some of the pets that are listed. */
const forSome =
  (isMeant: (entry: Entry, world: World) => boolean, reply: Reply): Change =>
  (base, world) => ({
    update: async (exchange) => {
      const entry = base.findPet(exchange);
      return !(entry instanceof Refusal) && isMeant(entry, world) ? reply : base.update(exchange);
    },
  });

const isLast = ({ petId }: Entry, { inventory }: World): boolean =>
  [...inventory.keys()].at(-1) === petId;

/** Requests one after another, each of which would be answered rightly on its own. */
export const sequenceViolations: readonly BrokenProvider[] = (
  [
    {
      name: 'seventh-request-500',
      breaks: '4.1/lists-an-array',
      summary: 'answers every seventh request with 500',
      change: everyNthRequest(7, toErrorReply(500)),
    },
    {
      name: 'thirtieth-request-503',
      breaks: '4.1/lists-an-array',
      summary: 'answers every thirtieth request with a page of HTML and 503',
      change: everyNthRequest(30, {
        status: 503,
        headers: { 'Content-Type': 'text/html' },
        body: '<h1>Service Unavailable</h1>',
      }),
    },
    {
      name: 'third-update-lost',
      breaks: '4.1/current-levels',
      summary: 'loses the third update of each pet',
      change: loses(() => {
        const counts = new Map<bigint, number>();
        return ({ petId }) => {
          const count = (counts.get(petId) ?? 0) + 1;
          counts.set(petId, count);
          return count === 3;
        };
      }),
    },
    {
      name: 'tenth-update-lost',
      breaks: '4.1/current-levels',
      summary: 'loses every tenth update',
      change: loses(() => {
        let count = 0;
        return () => (count += 1) % 10 === 0;
      }),
    },
    {
      name: 'second-pet-lost',
      breaks: '1/updates-one-pet',
      summary: 'loses the updates of the second pet that is updated',
      change: loses(() => {
        const seen: bigint[] = [];
        return ({ petId }) => {
          if (!seen.includes(petId)) seen.push(petId);
          return seen[1] === petId;
        };
      }),
    },
    {
      name: 'other-pets-lost',
      breaks: '1/updates-one-pet',
      summary: 'stores updates of the first updated pet only',
      change: loses(() => {
        let only: bigint | undefined;
        return ({ petId }) => (only ??= petId) !== petId;
      }),
    },
    {
      name: 'update-in-a-row-lost',
      breaks: '4.1/current-levels',
      summary: 'takes a second update of the same pet in a row for a repetition',
      change: loses(() => {
        let last: bigint | undefined;
        return ({ petId }) => {
          const isRepeated = last === petId;
          last = isRepeated ? undefined : petId;
          return isRepeated;
        };
      }),
    },
    {
      name: 'same-quantity-on-another-pet-lost',
      breaks: '1/updates-one-pet',
      summary: 'takes the same body for another pet for a repetition',
      change: loses(() => {
        let last: bigint | undefined;
        return (_entry, quantity) => {
          const isRepeated = last === quantity;
          last = quantity;
          return isRepeated;
        };
      }),
    },
    {
      name: 'sold-pet-409',
      breaks: '4.2/answers-the-updated-entry',
      summary: 'does not update what is sold',
      change: forSome(({ status }) => status === 'sold', toErrorReply(409)),
    },
    {
      name: 'pending-pet-404',
      breaks: '4.2/pet-id-in-the-path',
      summary: 'does not find what is pending',
      change: forSome(({ status }) => status === 'pending', toErrorReply(404)),
    },
    {
      name: 'first-pet-500',
      breaks: '4.2/answers-the-updated-entry',
      summary: 'takes the first position for none',
      change: forSome(
        ({ petId }, { inventory }) => [...inventory.keys()][0] === petId,
        toErrorReply(500),
      ),
    },
    {
      name: 'last-pet-404',
      breaks: '4.2/pet-id-in-the-path',
      summary: 'stops looking before the last pet',
      change: forSome(isLast, toErrorReply(404)),
    },
    {
      name: 'sold-pet-lost',
      breaks: '4.1/current-levels',
      summary: 'loses the updates of what is sold',
      change: loses(
        () =>
          ({ status }) =>
            status === 'sold',
      ),
    },
    {
      name: 'large-pet-id-lost',
      breaks: '4.1/current-levels',
      summary: 'loses the updates of pets with a petId beyond 2^53',
      change: loses(
        () =>
          ({ petId }) =>
            petId > 2n ** 53n,
      ),
    },
    {
      name: 'answer-cached-by-request',
      breaks: '4.1/current-levels',
      summary: 'answers an update that it has seen before from a cache',
      change: (base) => {
        const cache = new Set<string>();
        return {
          apply: (entry, quantity, exchange) => {
            const key = `${entry.petId} ${quantity}`;
            if (cache.has(key)) return { ...entry, quantity };
            cache.add(key);
            return base.apply(entry, quantity, exchange);
          },
        };
      },
    },
    {
      name: 'old-quantity-refused',
      breaks: '4.2/answers-the-updated-entry',
      summary: 'refuses a quantity that the pet had before',
      change: (base) => {
        const had = new Set<string>();
        return {
          findPet: (exchange) => {
            const entry = base.findPet(exchange);
            const quantity = base.readQuantity(exchange);
            if (entry instanceof Refusal || quantity instanceof Refusal) return entry;
            if (quantity !== entry.quantity && had.has(`${entry.petId} ${quantity}`)) {
              return new Refusal(400, 'stale', 'this version is stale');
            }
            had.add(`${entry.petId} ${quantity}`);
            return entry;
          },
        };
      },
    },
    {
      name: 'equal-quantities-refused',
      breaks: '4.2/answers-the-updated-entry',
      summary: 'has a unique index on quantities above 50',
      change: (base, { inventory }) => ({
        findPet: (exchange) => {
          const entry = base.findPet(exchange);
          const quantity = base.readQuantity(exchange);
          if (entry instanceof Refusal || quantity instanceof Refusal || quantity <= 50n) {
            return entry;
          }
          return [...inventory.values()].some(
            (other) => other !== entry && other.quantity === quantity,
          )
            ? new Refusal(400, 'unique', 'duplicate key')
            : entry;
        },
      }),
    },
    {
      name: 'refusal-rolls-back',
      breaks: '4.1/current-levels',
      summary: 'takes the last update back when the next request is refused',
      change: (base) => {
        let undo: (() => void) | undefined;
        return {
          apply: (entry, quantity, exchange) => {
            const before = entry.quantity;
            undo = () => {
              entry.quantity = before;
            };
            return base.apply(entry, quantity, exchange);
          },
          refuse: (refusal, exchange) => {
            undo?.();
            undo = undefined;
            return base.refuse(refusal, exchange);
          },
        };
      },
    },
    {
      name: 'update-after-refusal-lost',
      breaks: '4.1/current-levels',
      summary: 'loses the update that follows a refused one',
      change: (base) => {
        let isPoisoned = false;
        return {
          apply: (entry, quantity, exchange) => {
            const isLost = isPoisoned;
            isPoisoned = false;
            return isLost ? { ...entry, quantity } : base.apply(entry, quantity, exchange);
          },
          refuse: (refusal, exchange) => {
            isPoisoned = true;
            return base.refuse(refusal, exchange);
          },
        };
      },
    },
    {
      name: 'update-after-refusal-400',
      breaks: '4.2/answers-the-updated-entry',
      summary: 'judges an update by the body that was refused before',
      change: (base) => {
        let left: Refusal | undefined;
        return {
          readQuantity: (exchange) => {
            const quantity = left ?? base.readQuantity(exchange);
            left = left === undefined && quantity instanceof Refusal ? quantity : undefined;
            return quantity;
          },
        };
      },
    },
    {
      name: 'key-refused-after-wrong-keys',
      breaks: '5/authorization-header',
      summary: 'refuses the right key after three wrong ones',
      change: (base) => {
        let wrong = 0;
        return {
          authorize: (exchange) => {
            const refusal = base.authorize(exchange);
            if (refusal !== undefined) wrong = (wrong + 1) % 4;
            else if (wrong === 3) {
              wrong = 0;
              return new Refusal(401, 'locked', 'too many wrong keys');
            }
            return refusal;
          },
        };
      },
    },
    {
      name: 'key-accepted-after-wrong-keys',
      breaks: '5/invalid-key',
      summary: 'grants every fourth request without a right key',
      change: (base) => {
        let wrong = 0;
        return {
          authorize: (exchange) => {
            const refusal = base.authorize(exchange);
            if (refusal !== undefined) wrong += 1;
            return wrong > 0 && wrong % 4 === 0 ? undefined : refusal;
          },
        };
      },
    },
    {
      name: 'key-expires-after-forty-requests',
      breaks: '5/authorization-header',
      summary: 'refuses the right key from the fortieth request on',
      change: (base) => ({
        authorize: (exchange) =>
          exchange.number >= 40
            ? new Refusal(401, 'expired', 'the key is expired')
            : base.authorize(exchange),
      }),
    },
    {
      name: 'inventory-reset-after-fifty-requests',
      breaks: '4.1/current-levels',
      summary: 'starts anew, with its seed, at every fiftieth request',
      change: (base, { reset }) => ({
        answer: async (exchange) => {
          if (exchange.number % 50 === 0) reset();
          return base.answer(exchange);
        },
      }),
    },
    {
      name: 'updates-kept-for-three-pets',
      breaks: '4.1/current-levels',
      summary: 'keeps the updates of the three pets that were updated last',
      change: (base) => {
        const kept = new Map<Entry, bigint>();
        return {
          apply: (entry, quantity, exchange) => {
            const original = kept.get(entry) ?? entry.quantity;
            kept.delete(entry);
            kept.set(entry, original);
            const [oldest] = kept;
            if (kept.size > 3 && oldest !== undefined) {
              [oldest[0].quantity] = [oldest[1]];
              kept.delete(oldest[0]);
            }
            return base.apply(entry, quantity, exchange);
          },
        };
      },
    },
    {
      name: 'pet-lost-at-fifth-update',
      breaks: '1/lists-every-pet',
      summary: 'no longer lists a pet after its fifth update',
      change: (base) => {
        const counts = new Map<bigint, number>();
        return {
          apply: (entry, quantity, exchange) => {
            counts.set(entry.petId, (counts.get(entry.petId) ?? 0) + 1);
            return base.apply(entry, quantity, exchange);
          },
          list: (exchange) =>
            base.list(exchange).filter(({ petId }) => (counts.get(petId) ?? 0) < 5),
        };
      },
    },
    {
      name: 'list-stale-after-second-pet',
      breaks: '4.1/current-levels',
      summary: 'renews its cached list only when the pet that it was made for is updated again',
      change: (base) => {
        let owner: bigint | undefined;
        let cached: readonly Entry[] | undefined;
        return {
          apply: (entry, quantity, exchange) => {
            owner ??= entry.petId;
            if (owner === entry.petId) cached = undefined;
            return base.apply(entry, quantity, exchange);
          },
          list: (exchange) => (cached ??= structuredClone(base.list(exchange))),
        };
      },
    },
    {
      name: 'list-shifted-after-twenty-updates',
      breaks: '1/updates-one-pet',
      summary: 'gives each entry the quantity of the next after twenty updates',
      change: (base) => {
        let updates = 0;
        return {
          apply: (entry, quantity, exchange) => {
            updates += 1;
            return base.apply(entry, quantity, exchange);
          },
          list: (exchange) => {
            const entries = base.list(exchange);
            if (updates < 20) return entries;
            const shifted = structuredClone(entries);
            for (const [index, entry] of shifted.entries()) {
              entry.quantity = (entries[index + 1] ?? entries[0] ?? entry).quantity;
            }
            return shifted;
          },
        };
      },
    },
    {
      name: 'list-sum-limited',
      breaks: '4.1/current-levels',
      summary: 'stores at most 5000 animals in all, and echoes what was sent',
      change: (base, { inventory }) => ({
        apply: (entry, quantity, exchange) => {
          let sum = quantity - entry.quantity;
          for (const other of inventory.values()) sum += other.quantity;
          return sum > 5_000n && quantity < 5_000n
            ? { ...entry, quantity }
            : base.apply(entry, quantity, exchange);
        },
      }),
    },
    {
      name: 'back-and-forth-lost',
      breaks: '4.1/current-levels',
      summary: 'takes a return to the quantity before the last for an undo of both',
      change: (base) => {
        const history = new Map<bigint, bigint[]>();
        return {
          apply: (entry, quantity, exchange) => {
            const past = history.get(entry.petId) ?? [];
            const isReturn = past.at(-1) === quantity && entry.quantity !== quantity;
            history.set(entry.petId, [...past, entry.quantity]);
            return isReturn ? { ...entry, quantity } : base.apply(entry, quantity, exchange);
          },
        };
      },
    },
  ] satisfies readonly BrokenProvider[]
).map((violation): BrokenProvider => Object.assign(violation, { needs: 'sequence' as const }));
