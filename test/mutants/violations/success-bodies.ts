import { NumberLiteral, stringifyExactJson } from '../../../src/json/exact-json.ts';
import type { BrokenProvider } from '../mutant.ts';
import { jsonHeaders, replaceReply } from '../replace-reply.ts';
import { consecutivePets } from '../seed.ts';
import type { Change, Entry, Exchange, Operation, Reply } from '../steps.ts';

type Where = (entry: Entry, exchange: Exchange) => boolean;

/** Writes items in another way: all of them, or those that are meant. */
const writesItem =
  (toItem: (entry: Entry) => unknown, isMeant: Where = () => true): Change =>
  (base) => ({
    toItem: (entry, exchange) =>
      isMeant(entry, exchange) ? toItem(entry) : base.toItem(entry, exchange),
  });

/** A pet in the middle of the list. */
const inTheMiddle: Where = ({ petId }) => petId === 42n;
const inList: Where = (_entry, { operation }) => operation === 'listInventory';
const inEcho: Where = (_entry, { operation }) => operation === 'updateInventory';

const writesList =
  (toBody: (items: readonly unknown[], entries: readonly Entry[]) => unknown): Change =>
  (base) => ({
    toListBody: (entries, exchange) =>
      toBody(
        entries.map((entry) => base.toItem(entry, exchange)),
        entries,
      ),
  });

const lists =
  (choose: (entries: readonly Entry[], exchange: Exchange) => readonly Entry[]): Change =>
  (base) => ({ list: (exchange) => choose(base.list(exchange), exchange) });

/** Sends another reply in place of a 200. */
const sends = (change: (reply: Reply) => Partial<Reply>, only?: Operation): Change =>
  replaceReply([200], (reply, { operation }) =>
    only === undefined || only === operation ? { ...reply, ...change(reply) } : reply,
  );

const items: readonly BrokenProvider[] = [
  {
    name: 'item-without-pet-id',
    breaks: '2/item-fields',
    summary: 'echoes entries without petId',
    change: writesItem(({ quantity, status }) => ({ quantity, status }), inEcho),
  },
  {
    name: 'item-without-quantity',
    breaks: '2/item-fields',
    summary: 'lists entries without quantity',
    change: writesItem(({ petId, status }) => ({ petId, status }), inList),
  },
  {
    name: 'item-without-status',
    breaks: '2/item-fields',
    summary: 'echoes entries without status',
    change: writesItem(({ petId, quantity }) => ({ petId, quantity }), inEcho),
  },
  {
    name: 'item-without-status-in-the-middle',
    breaks: '2/item-fields',
    summary: 'lists one entry without status',
    change: writesItem(({ petId, quantity }) => ({ petId, quantity }), inTheMiddle),
  },
  {
    name: 'item-without-quantity-at-zero',
    breaks: '2/item-fields',
    summary: 'leaves out a quantity of 0',
    change: writesItem(
      ({ petId, status }) => ({ petId, status }),
      ({ quantity }) => quantity === 0n,
    ),
  },
  {
    name: 'item-names-in-snake-case',
    breaks: '2/item-fields',
    summary: 'writes pet_id for petId',
    change: writesItem(({ petId, quantity, status }) => ({ pet_id: petId, quantity, status })),
  },
  {
    name: 'item-id-renamed',
    breaks: '2/item-fields',
    summary: 'writes id for petId in the echo',
    change: writesItem(({ petId, quantity, status }) => ({ id: petId, quantity, status }), inEcho),
  },
  {
    name: 'pet-id-string',
    breaks: '2/pet-id-int64',
    summary: 'writes petId as a string',
    change: writesItem((entry) => ({ ...entry, petId: `${entry.petId}` })),
  },
  {
    name: 'pet-id-string-in-echo',
    breaks: '2/pet-id-int64',
    summary: 'echoes petId as a string, as it stood in the path',
    change: writesItem((entry) => ({ ...entry, petId: `${entry.petId}` }), inEcho),
  },
  {
    name: 'pet-id-string-where-large',
    breaks: '2/pet-id-int64',
    summary: 'writes a petId beyond 2^53 as a string',
    change: writesItem(
      (entry) => ({ ...entry, petId: `${entry.petId}` }),
      ({ petId }) => petId > 2n ** 53n,
    ),
  },
  {
    name: 'pet-id-beyond-int64',
    breaks: '2/pet-id-int64',
    summary: 'lists a petId of 2^64',
    change: writesItem((entry) => ({ ...entry, petId: 2n ** 64n }), inTheMiddle),
  },
  {
    name: 'pet-id-fraction',
    breaks: '2/pet-id-int64',
    summary: 'lists a petId of 42.5',
    change: writesItem((entry) => ({ ...entry, petId: 42.5 }), inTheMiddle),
  },
  {
    name: 'pet-id-null',
    breaks: '2/pet-id-int64',
    summary: 'lists a petId of null',
    change: writesItem((entry) => ({ ...entry, petId: null }), inTheMiddle),
  },
  {
    name: 'pet-id-rounded-in-echo',
    breaks: '2/pet-id-int64',
    summary: 'echoes a large petId as the double it becomes',
    change: writesItem((entry) => ({ ...entry, petId: BigInt(Number(entry.petId)) }), inEcho),
  },
  {
    name: 'quantity-string',
    breaks: '2/quantity-integer',
    summary: 'writes quantities as strings',
    change: writesItem((entry) => ({ ...entry, quantity: `${entry.quantity}` })),
  },
  {
    name: 'quantity-string-in-the-middle',
    breaks: '2/quantity-integer',
    summary: 'lists one quantity as a string',
    change: writesItem((entry) => ({ ...entry, quantity: `${entry.quantity}` }), inTheMiddle),
  },
  {
    name: 'quantity-string-where-large',
    breaks: '2/quantity-integer',
    summary: 'writes a quantity beyond 2^53 as a string',
    change: writesItem(
      (entry) => ({ ...entry, quantity: `${entry.quantity}` }),
      ({ quantity }) => quantity > 2n ** 53n,
    ),
  },
  {
    name: 'quantity-fraction',
    breaks: '2/quantity-integer',
    summary: 'lists one quantity with a fraction',
    change: writesItem((entry) => ({ ...entry, quantity: 5.5 }), inTheMiddle),
  },
  {
    name: 'quantity-tiny-fraction',
    breaks: '2/quantity-integer',
    summary: 'lists one quantity with a fraction too small for a double',
    change: writesItem(
      (entry) => ({ ...entry, quantity: new NumberLiteral('5.00000000000000000001') }),
      inTheMiddle,
    ),
  },
  {
    name: 'quantity-null-at-zero',
    breaks: '2/quantity-integer',
    summary: 'writes null for a quantity of 0',
    change: writesItem(
      (entry) => ({ ...entry, quantity: null }),
      ({ quantity }) => quantity === 0n,
    ),
  },
  {
    name: 'quantity-false-at-zero',
    breaks: '2/quantity-integer',
    summary: 'writes false for a quantity of 0',
    change: writesItem(
      (entry) => ({ ...entry, quantity: false }),
      ({ quantity }) => quantity === 0n,
    ),
  },
  {
    name: 'quantity-nested',
    breaks: '2/quantity-integer',
    summary: 'writes quantity as an object with a unit',
    change: writesItem((entry) => ({ ...entry, quantity: { value: entry.quantity, unit: 'pet' } })),
  },
  {
    name: 'item-status-null',
    breaks: '2/status-string',
    summary: 'echoes a status of null',
    change: writesItem((entry) => ({ ...entry, status: null }), inEcho),
  },
  {
    name: 'item-status-number',
    breaks: '2/status-string',
    summary: 'lists one status as its number',
    change: writesItem((entry) => ({ ...entry, status: 1 }), inTheMiddle),
  },
  {
    name: 'item-status-boolean',
    breaks: '2/status-string',
    summary: 'writes the status as whether the pet is available',
    change: writesItem((entry) => ({ ...entry, status: entry.quantity > 0n })),
  },
  {
    name: 'item-status-array',
    breaks: '2/status-string',
    summary: 'writes a list of one status',
    change: writesItem((entry) => ({ ...entry, status: [entry.status] })),
  },
  {
    name: 'item-status-capitalised',
    breaks: '3/status-values',
    summary: 'writes Available for available',
    change: writesItem(
      (entry) => ({ ...entry, status: 'Available' }),
      ({ status }) => status === 'available',
    ),
  },
  {
    name: 'item-status-upper-case',
    breaks: '3/status-values',
    summary: 'echoes the status in upper case',
    change: writesItem((entry) => ({ ...entry, status: entry.status.toUpperCase() }), inEcho),
  },
  {
    name: 'item-status-another-value',
    breaks: '3/status-values',
    summary: 'lists one status that is none of the three',
    change: writesItem((entry) => ({ ...entry, status: 'reserved' }), inTheMiddle),
  },
  {
    name: 'item-status-empty',
    breaks: '3/status-values',
    summary: 'lists one empty status',
    change: writesItem((entry) => ({ ...entry, status: '' }), inTheMiddle),
  },
  {
    name: 'item-status-with-space',
    breaks: '3/status-values',
    summary: 'pads the status with spaces, as its database column does',
    change: writesItem((entry) => ({ ...entry, status: entry.status.padEnd(9) })),
  },
  {
    name: 'item-null-in-list',
    breaks: '2/item-fields',
    summary: 'lists null in place of one entry',
    change: writesItem(() => null, inTheMiddle),
  },
];

const lying: readonly BrokenProvider[] = [
  {
    name: 'echo-of-the-old-quantity',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'echoes the quantity from before',
    change: (base) => ({
      apply: async (entry, quantity, exchange) => {
        const before = { ...entry };
        await base.apply(entry, quantity, exchange);
        return before;
      },
    }),
  },
  {
    name: 'echo-of-another-pet',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'echoes the first entry of the list',
    change: (base, { inventory }) => ({
      apply: async (entry, quantity, exchange) => {
        const updated = await base.apply(entry, quantity, exchange);
        return inventory.values().next().value ?? updated;
      },
    }),
  },
  {
    name: 'echo-of-the-request',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'echoes the body of the request',
    change: () => ({
      toItemBody: ({ quantity }) => ({ quantity }),
    }),
  },
  {
    name: 'echo-in-an-array',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'echoes an array of one entry',
    change: (base) => ({ toItemBody: (entry, exchange) => [base.toItem(entry, exchange)] }),
  },
  {
    name: 'echo-of-the-list',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers an update with the whole list',
    change: (base) => ({
      toItemBody: (_entry, exchange) => base.toListBody(base.list(exchange), exchange),
    }),
  },
  {
    name: 'echo-wrapped',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'wraps the echo in data',
    change: (base) => ({
      toItemBody: (entry, exchange) => ({ data: base.toItem(entry, exchange) }),
    }),
  },
  {
    name: 'echo-null',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers an update with null',
    change: () => ({ toItemBody: () => null }),
  },
  {
    name: 'echo-count-of-rows',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers an update with the number of rows that changed',
    change: () => ({ toItemBody: () => ({ updated: 1 }) }),
  },
  {
    name: 'echo-of-the-absolute-value',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'echoes the absolute value of a quantity',
    change: writesItem(
      (entry) => ({ ...entry, quantity: -entry.quantity }),
      (entry, exchange) => inEcho(entry, exchange) && entry.quantity < 0n,
    ),
  },
];

const wholeList: readonly BrokenProvider[] = [
  {
    name: 'list-object',
    breaks: '4.1/lists-an-array',
    summary: 'wraps the list in items',
    change: writesList((listed) => ({ items: listed })),
  },
  {
    name: 'list-in-data',
    breaks: '8/one-array',
    summary: 'wraps the list in data, with a cursor',
    change: writesList((listed) => ({ data: listed, next: null })),
  },
  {
    name: 'list-map',
    breaks: '4.1/lists-an-array',
    summary: 'lists a map from petId to entry',
    change: writesList((listed, entries) =>
      Object.fromEntries(entries.map(({ petId }, index) => [`${petId}`, listed[index]])),
    ),
  },
  {
    name: 'list-of-arrays',
    breaks: '8/one-array',
    summary: 'lists an array of pages',
    change: writesList((listed) => [listed.slice(0, 5), listed.slice(5)]),
  },
  {
    name: 'list-of-ids',
    breaks: '4.1/lists-an-array',
    summary: 'lists petIds only',
    change: writesList((_listed, entries) => entries.map(({ petId }) => petId)),
  },
  {
    name: 'list-null',
    breaks: '4.1/lists-an-array',
    summary: 'lists null',
    change: writesList(() => null),
  },
  {
    name: 'list-in-a-string',
    breaks: '4.1/lists-an-array',
    summary: 'writes the list as JSON inside a string',
    change: writesList((listed) => stringifyExactJson(listed)),
  },
  {
    name: 'list-in-lines',
    breaks: '8/one-array',
    summary: 'lists one entry on each line',
    change: (base) => ({
      stringify: (body, exchange) =>
        Array.isArray(body)
          ? body.map((item) => base.stringify(item, exchange)).join('\n')
          : base.stringify(body, exchange),
    }),
  },
  {
    name: 'list-with-duplicate',
    breaks: '1/lists-every-pet',
    summary: 'lists the last entry twice',
    change: lists((entries) => [...entries, ...entries.slice(-1)]),
  },
  {
    name: 'list-with-a-stale-duplicate',
    breaks: '1/lists-every-pet',
    summary: 'lists one pet with two quantities',
    change: lists((entries) => {
      const [stale] = structuredClone(entries.slice(2));
      if (stale === undefined) return entries;
      stale.quantity += 1n;
      return [...entries, stale];
    }),
  },
  {
    name: 'list-drops-last-entry-now-and-then',
    breaks: '1/lists-every-pet',
    summary: 'loses the last entry of every second list',
    change: (base) => {
      let count = 0;
      return {
        list: (exchange) => {
          count += 1;
          return count % 2 === 0 ? base.list(exchange).slice(0, -1) : base.list(exchange);
        },
      };
    },
  },
  {
    name: 'list-drops-last-entry',
    breaks: '1/lists-every-pet',
    summary: 'never lists the last pet',
    needs: 'unlisted-pet',
    seed: consecutivePets(13),
    change: lists((entries) => entries.slice(0, -1)),
  },
  {
    name: 'list-of-five',
    breaks: '8/one-array',
    summary: 'lists the first five entries',
    needs: 'unlisted-pet',
    seed: consecutivePets(13),
    change: lists((entries) => entries.slice(0, 5)),
  },
  {
    name: 'list-of-ten',
    breaks: '8/one-array',
    summary: 'lists ten entries, and more for ?page=2',
    needs: 'unlisted-pet',
    seed: consecutivePets(13),
    change: lists((entries, { query }) => {
      const from = (Number(query.get('page') ?? 1) - 1) * 10;
      return entries.slice(from, from + 10);
    }),
  },
  {
    name: 'list-of-five-at-random',
    breaks: '8/one-array',
    summary: 'lists five entries, each time those that follow',
    change: (base) => {
      let from = 0;
      return {
        list: (exchange) => {
          const entries = base.list(exchange);
          from = (from + 5) % entries.length;
          return [...entries, ...entries].slice(from, from + 5);
        },
      };
    },
  },
  {
    name: 'list-without-zero',
    breaks: '4.1/current-levels',
    summary: 'does not list pets with a quantity of 0',
    change: lists((entries) => entries.filter(({ quantity }) => quantity !== 0n)),
  },
  {
    name: 'list-without-negative',
    breaks: '4.1/current-levels',
    summary: 'does not list pets with a negative quantity',
    change: lists((entries) => entries.filter(({ quantity }) => quantity >= 0n)),
  },
  {
    name: 'list-without-sold',
    breaks: '4.1/current-levels',
    summary: 'marks a pet as sold at 0, and does not list what is sold',
    change: (base) => ({
      apply: (entry, quantity, exchange) => {
        entry.status = quantity === 0n ? 'sold' : 'available';
        return base.apply(entry, quantity, exchange);
      },
      list: (exchange) => base.list(exchange).filter(({ status }) => status !== 'sold'),
    }),
  },
  {
    name: 'list-without-the-updated',
    breaks: '1/updates-one-pet',
    summary: 'no longer lists a pet that was updated',
    change: (base) => {
      const updated = new Set<bigint>();
      return {
        apply: (entry, quantity, exchange) => {
          updated.add(entry.petId);
          return base.apply(entry, quantity, exchange);
        },
        list: (exchange) => base.list(exchange).filter(({ petId }) => !updated.has(petId)),
      };
    },
  },
  {
    name: 'list-of-ids-rounded',
    breaks: '2/pet-id-int64',
    summary: 'rounds large petIds in the list, and finds exact ones only',
    change: writesItem((entry) => ({ ...entry, petId: BigInt(Number(entry.petId)) }), inList),
  },
];

const representation: readonly BrokenProvider[] = [
  {
    name: 'list-201',
    breaks: '4.1/lists-an-array',
    summary: 'lists with 201',
    change: sends(() => ({ status: 201 }), 'listInventory'),
  },
  {
    name: 'list-206',
    breaks: '4.1/lists-an-array',
    summary: 'lists with 206',
    change: sends(() => ({ status: 206 }), 'listInventory'),
  },
  {
    name: 'update-201',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers 201 to an update',
    change: sends(() => ({ status: 201 }), 'updateInventory'),
  },
  {
    name: 'update-202',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers 202 to an update',
    change: sends(() => ({ status: 202 }), 'updateInventory'),
  },
  {
    name: 'update-204',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers 204 to an update',
    change: sends(() => ({ status: 204, headers: {}, body: '' }), 'updateInventory'),
  },
  {
    name: 'update-empty',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers 200 without a body to an update',
    change: sends(() => ({ body: '' }), 'updateInventory'),
  },
  {
    name: 'list-empty-body',
    breaks: '4.1/lists-an-array',
    summary: 'answers 200 without a body to a list',
    change: sends(() => ({ body: '' }), 'listInventory'),
  },
  {
    name: 'list-html',
    breaks: '4/json-bodies',
    summary: 'declares the list as text/html',
    change: sends(() => ({ headers: { 'Content-Type': 'text/html' } }), 'listInventory'),
  },
  {
    name: 'update-text',
    breaks: '4/json-bodies',
    summary: 'declares the echo as text/plain',
    change: sends(() => ({ headers: { 'Content-Type': 'text/plain' } }), 'updateInventory'),
  },
  {
    name: 'success-undeclared',
    breaks: '4/json-bodies',
    summary: 'sends 200 without a content type',
    change: sends(() => ({ headers: {} })),
  },
  {
    name: 'success-text-json',
    breaks: '4/json-bodies',
    summary: 'declares bodies as text/json',
    change: sends(() => ({ headers: { 'Content-Type': 'text/json' } })),
  },
  {
    name: 'list-json-api',
    breaks: '4/json-bodies',
    summary: 'declares the list as application/vnd.api+json',
    change: sends(
      () => ({ headers: { 'Content-Type': 'application/vnd.api+json' } }),
      'listInventory',
    ),
  },
  {
    name: 'success-xml',
    breaks: '4/json-bodies',
    summary: 'answers with XML',
    change: sends(() => ({
      headers: { 'Content-Type': 'application/xml' },
      body: '<inventory/>',
    })),
  },
  {
    name: 'list-trailing-comma',
    breaks: '4/json-bodies',
    summary: 'writes a comma behind the last entry',
    change: sends(({ body }) => ({ body: body.toString().replace(/\]$/, ',]') }), 'listInventory'),
  },
  {
    name: 'list-truncated',
    breaks: '4/json-bodies',
    summary: 'cuts the list after 512 bytes',
    change: sends(({ body }) => ({ body: body.slice(0, 512) }), 'listInventory'),
  },
  {
    name: 'list-without-last-bracket',
    breaks: '4/json-bodies',
    summary: 'loses the last bracket of the list',
    change: sends(({ body }) => ({ body: body.slice(0, -1) }), 'listInventory'),
  },
  {
    name: 'update-single-quotes',
    breaks: '4/json-bodies',
    summary: 'writes the echo as its language prints it',
    change: sends(
      ({ body }) => ({ body: body.toString().replaceAll('"', "'") }),
      'updateInventory',
    ),
  },
  {
    name: 'update-nan',
    breaks: '4/json-bodies',
    summary: 'writes NaN for a quantity of 0',
    change: sends(({ body }) => ({ body: body.toString().replace(':0,', ':NaN,') })),
  },
  {
    name: 'list-with-guard-prefix',
    breaks: '4/json-bodies',
    summary: 'writes a guard against script inclusion in front of the list',
    change: sends(({ body }) => ({ body: `)]}',\n${body.toString()}` }), 'listInventory'),
  },
  {
    name: 'list-as-callback',
    breaks: '4/json-bodies',
    summary: 'writes the list as a call of JavaScript',
    change: sends(({ body }) => ({ body: `callback(${body.toString()})` }), 'listInventory'),
  },
  {
    name: 'success-in-utf-16',
    breaks: '4/json-bodies',
    summary: 'writes bodies in UTF-16',
    change: sends(({ body }) => ({ body: Buffer.from(body.toString(), 'utf16le') })),
  },
  {
    name: 'success-in-base64',
    breaks: '4/json-bodies',
    summary: 'writes bodies in base64',
    change: sends(({ body }) => ({ body: Buffer.from(body).toString('base64') })),
  },
  {
    name: 'success-with-fault-in-body',
    breaks: '4.1/lists-an-array',
    summary: 'answers 200 with an error body to every list',
    change: sends(
      () => ({ headers: jsonHeaders, body: '{"code":"down","message":"try later","status":503}' }),
      'listInventory',
    ),
  },
  {
    name: 'without-version-prefix',
    breaks: '9/version-prefix',
    summary: 'serves its operations without /v1',
    change: (base) => ({ route: (method, path) => base.route(method, `/v1${path}`) }),
  },
  {
    name: 'other-version-prefix',
    breaks: '9/version-prefix',
    summary: 'serves its operations below /v2',
    change: (base) => ({
      route: (method, path) =>
        base.route(method, path.startsWith('/v2/') ? path.replace('/v2/', '/v1/') : '/'),
    }),
  },
  {
    name: 'update-without-version-prefix',
    breaks: '9/version-prefix',
    summary: 'serves updates without /v1, and the list with it',
    change: (base) => ({
      route: (method, path) => base.route(method, method === 'PATCH' ? `/v1${path}` : path),
    }),
  },
  {
    name: 'update-by-put-only',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers 405 to PATCH, and wants PUT',
    change: replaceReply([200, 400, 404], (reply, { method }) =>
      method === 'PATCH'
        ? {
            status: 405,
            headers: { ...jsonHeaders, Allow: 'PUT' },
            body: '{"code":"method","message":"use PUT","status":405}',
          }
        : reply,
    ),
  },
];

export const successBodyViolations: readonly BrokenProvider[] = [
  ...items,
  ...lying,
  ...wholeList,
  ...representation,
];
