import type { BrokenProvider } from '../mutant.ts';
import { Refusal, type Change, type Exchange, type Reply } from '../steps.ts';

/** Answers in another way where the key is missing or invalid. */
const answers =
  (
    reply: (exchange: Exchange) => Reply | undefined,
    isMeant: (exchange: Exchange) => boolean = () => true,
  ): Change =>
  (base) => ({
    answer: async (exchange) =>
      exchange.operation !== 'unknown' &&
      base.authorize(exchange) !== undefined &&
      isMeant(exchange)
        ? (reply(exchange) ?? base.answer(exchange))
        : base.answer(exchange),
  });

/** Another status, in a sound error body. */
const answersStatus = (status: number, isMeant?: (exchange: Exchange) => boolean): Change =>
  answers(
    () => ({
      status,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code: 'no_access', message: 'who are you?', status }),
    }),
    isMeant,
  );

const answersBody = (
  contentType: string,
  body: string,
  isMeant?: (exchange: Exchange) => boolean,
): Change =>
  answers(() => ({ status: 401, headers: { 'Content-Type': contentType }, body }), isMeant);

const isMissing = ({ headers }: Exchange): boolean => !headers.authorization;
const isInvalid = (exchange: Exchange): boolean => !isMissing(exchange);
const isList = ({ operation }: Exchange): boolean => operation === 'listInventory';
const isUpdate = ({ operation }: Exchange): boolean => operation === 'updateInventory';

const wrongStatus: readonly BrokenProvider[] = [
  {
    name: 'unauthorized-403',
    breaks: '7/401-unauthorized',
    summary: 'answers 403 in place of 401',
    change: answersStatus(403),
  },
  {
    name: 'unauthorized-403-for-invalid-key',
    breaks: '5/invalid-key',
    summary: 'answers 403 to a wrong key, and 401 to none',
    change: answersStatus(403, isInvalid),
  },
  {
    name: 'unauthorized-400-for-missing-key',
    breaks: '5/missing-key',
    summary: 'answers 400 where the header is missing',
    change: answersStatus(400, isMissing),
  },
  {
    name: 'unauthorized-404',
    breaks: '7/401-unauthorized',
    summary: 'hides its operations behind 404',
    change: answersStatus(404),
  },
  {
    name: 'unauthorized-403-on-update',
    breaks: '5/every-operation',
    summary: 'answers 403 to an update, and 401 to a list',
    change: answersStatus(403, isUpdate),
  },
  {
    name: 'unauthorized-500-for-missing-key',
    breaks: '5/missing-key',
    summary: 'stumbles over a missing header',
    change: answersStatus(500, isMissing),
  },
  {
    name: 'unauthorized-empty-list',
    breaks: '4/authentication-required',
    summary: 'lists nothing, with 200, where the key is missing',
    change: answers(
      () => ({ status: 200, headers: { 'Content-Type': 'application/json' }, body: '[]' }),
      (exchange) => isList(exchange) && isMissing(exchange),
    ),
  },
  {
    name: 'unauthorized-200-error',
    breaks: '7/401-unauthorized',
    summary: 'sends the error body with 200',
    change: answers(() => ({
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: '{"code":"no_access","message":"no","status":401}',
    })),
  },
  {
    name: 'unauthorized-redirected',
    breaks: '7/401-unauthorized',
    summary: 'redirects to a page to log in',
    change: answers(() => ({ status: 302, headers: { Location: '/login' }, body: '' })),
  },
];

const wrongBody: readonly BrokenProvider[] = [
  {
    name: 'unauthorized-html',
    breaks: '7/error-body',
    summary: 'sends 401 with a page of HTML',
    change: answersBody('text/html', '<h1>401 Authorization Required</h1>'),
  },
  {
    name: 'unauthorized-empty',
    breaks: '7/error-body',
    summary: 'sends 401 without a body',
    change: answers(() => ({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' }, body: '' })),
  },
  {
    name: 'unauthorized-plain-text',
    breaks: '7/error-body',
    summary: 'sends 401 with plain text',
    change: answersBody('text/plain', 'Unauthorized'),
  },
  {
    name: 'unauthorized-empty-for-invalid-key',
    breaks: '5/invalid-key',
    summary: 'sends 401 without a body to a wrong key only',
    change: answersBody('application/json', '', isInvalid),
  },
  {
    name: 'unauthorized-detail',
    breaks: '2/error-fields',
    summary: 'sends 401 with a body of its framework',
    change: answersBody('application/json', '{"detail":"Not authenticated"}'),
  },
  {
    name: 'unauthorized-detail-on-update',
    breaks: '2/error-fields',
    summary: 'sends 401 to an update with a body of its framework',
    change: answersBody('application/json', '{"error":"Unauthorized"}', isUpdate),
  },
  {
    name: 'unauthorized-null',
    breaks: '7/error-body',
    summary: 'sends 401 with null',
    change: answersBody('application/json', 'null'),
  },
];

/** Looks at the request before it looks at the key. */
const looksFirst =
  (look: (exchange: Exchange, base: Parameters<Change>[0]) => unknown): Change =>
  (base) => ({
    authorize: (exchange) => {
      const found = isUpdate(exchange) ? look(exchange, base) : undefined;
      return found instanceof Refusal ? found : base.authorize(exchange);
    },
  });

const order: readonly BrokenProvider[] = [
  {
    name: 'unauthorized-behind-400',
    breaks: '7/401-unauthorized',
    summary: 'judges the body before the key',
    change: looksFirst((exchange, base) => base.readQuantity(exchange)),
  },
  {
    name: 'unauthorized-behind-404',
    breaks: '7/401-unauthorized',
    summary: 'looks for the pet before it judges the key',
    change: looksFirst((exchange, base) => base.findPet(exchange)),
  },
  {
    name: 'unauthorized-behind-malformed',
    breaks: '7/401-unauthorized',
    summary: 'parses the body before it judges the key',
    change: looksFirst(({ body }, base) =>
      body.length === 0 ? undefined : base.parse(body.toString()),
    ),
  },
  {
    name: 'unauthorized-behind-no-body',
    breaks: '7/401-unauthorized',
    summary: 'asks for a body before it asks for a key',
    change: looksFirst(({ body }) =>
      body.length === 0 ? new Refusal(400, 'empty', 'no body') : undefined,
    ),
  },
  {
    name: 'unauthorized-behind-pet-id-syntax',
    breaks: '7/401-unauthorized',
    summary: 'judges the petId in its router, before the key',
    change: looksFirst(({ petId }, base) =>
      base.toPetId(petId) === undefined ? new Refusal(404, 'no_route', 'no route') : undefined,
    ),
  },
];

/** Applies the update of a request that is refused with 401. */
const appliesAll =
  (isMeant: (exchange: Exchange) => boolean): Change =>
  (base) => ({
    answer: async (exchange) => {
      if (isUpdate(exchange) && base.authorize(exchange) !== undefined && isMeant(exchange)) {
        await base.update(exchange);
      }
      return base.answer(exchange);
    },
  });

const applied: readonly BrokenProvider[] = [
  {
    name: 'unauthorized-but-applied',
    breaks: '7/401-unauthorized',
    summary: 'writes before it judges the key',
    change: appliesAll(() => true),
  },
  {
    name: 'unauthorized-but-applied-for-invalid-key',
    breaks: '5/invalid-key',
    summary: 'writes before it looks the key up',
    change: appliesAll(isInvalid),
  },
  {
    name: 'unauthorized-empties-the-inventory',
    breaks: '7/401-unauthorized',
    summary: 'sets every quantity to zero on 401',
    change: (base, { inventory }) => ({
      refuse: (refusal, exchange) => {
        if (refusal.status === 401) for (const entry of inventory.values()) entry.quantity = 0n;
        return base.refuse(refusal, exchange);
      },
    }),
  },
];

export const unauthorizedViolations: readonly BrokenProvider[] = [
  ...wrongStatus,
  ...wrongBody,
  ...order,
  ...applied,
];
