import {
  isJsonObject,
  NumberLiteral,
  parseExactJson,
  readInteger,
  stringifyExactJson,
} from '../../src/json/exact-json.ts';
import { Refusal, type Route, type Steps, type World } from './steps.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const canonicalInteger = /^(?:0|-?[1-9][0-9]*)$/;

export const invalid = (message: string): Refusal => new Refusal(400, 'invalid', message);

/**
 * A provider that keeps the spec, written from the spec alone: it shares nothing with the mock, so
 * that neither can hide a mistake of the other.
 *
 * @param steps gives the steps as they are taken in the end, changes included
 */
export function createBaseSteps(world: World, steps: () => Steps): Steps {
  return {
    ...answering(world, steps),
    ...reading(steps),
    ...writing(world, steps),
    ...replying(steps),
  };
}

type Answering = 'route' | 'answer' | 'authorize' | 'readToken' | 'isKnown' | 'update';

function answering(world: World, steps: () => Steps): Pick<Steps, Answering> {
  return {
    route,
    async answer(exchange) {
      if (exchange.operation === 'unknown') {
        return steps().refuse(new Refusal(404, 'no_route', 'there is no such route'), exchange);
      }
      const unauthorized = steps().authorize(exchange);
      if (unauthorized !== undefined) return steps().refuse(unauthorized, exchange);
      if (exchange.operation === 'updateInventory') return steps().update(exchange);
      return steps().reply(200, steps().toListBody(steps().list(exchange), exchange), exchange);
    },
    authorize(exchange) {
      const token = steps().readToken(exchange);
      if (token !== undefined && steps().isKnown(token)) return undefined;
      return new Refusal(401, 'no_access', 'the API key is missing or not valid');
    },
    readToken: ({ headers }) => /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1],
    isKnown: (token) => world.apiKeys.includes(token),
    async update(exchange) {
      const quantity = steps().readQuantity(exchange);
      if (quantity instanceof Refusal) return steps().refuse(quantity, exchange);
      const entry = steps().findPet(exchange);
      if (entry instanceof Refusal) return steps().refuse(entry, exchange);
      const updated = await steps().apply(entry, quantity, exchange);
      return steps().reply(200, steps().toItemBody(updated, exchange), exchange);
    },
  };
}

function route(method: string, path: string): Route {
  if (method === 'GET' && path === '/v1/inventory')
    return { operation: 'listInventory', petId: '' };
  const [, segment] = /^\/v1\/inventory\/([^/]+)$/.exec(path) ?? [];
  if (method !== 'PATCH' || segment === undefined) return { operation: 'unknown', petId: '' };
  try {
    return { operation: 'updateInventory', petId: decodeURIComponent(segment) };
  } catch {
    return { operation: 'updateInventory', petId: segment };
  }
}

type Reading =
  'checkMediaType' | 'readQuantity' | 'decode' | 'parse' | 'pickQuantity' | 'toQuantity';

function reading(steps: () => Steps): Pick<Steps, Reading> {
  return {
    checkMediaType({ headers, body }) {
      const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
      return mediaType === 'application/json' || body.length === 0
        ? undefined
        : invalid('the body is not declared as application/json');
    },
    readQuantity(exchange) {
      const { checkMediaType, decode, parse, pickQuantity, toQuantity } = steps();
      const undeclared = checkMediaType(exchange);
      if (undeclared !== undefined) return undeclared;
      const text = decode(exchange.body);
      if (text instanceof Refusal) return text;
      const parsed = parse(text);
      if (parsed instanceof Refusal) return parsed;
      const picked = pickQuantity(parsed.value);
      return picked instanceof Refusal ? picked : toQuantity(picked.value);
    },
    decode(bytes) {
      try {
        return utf8.decode(bytes);
      } catch {
        return invalid('the body is not UTF-8');
      }
    },
    parse(text) {
      const parsed = parseExactJson(text);
      return parsed.ok ? { value: parsed.value } : invalid('the body is not JSON');
    },
    pickQuantity(value) {
      if (!isJsonObject(value)) return invalid('the body is not an object');
      const quantity = Object.hasOwn(value, 'quantity') ? value['quantity'] : undefined;
      return quantity === undefined ? invalid('quantity is missing') : { value: quantity };
    },
    toQuantity(value) {
      if (typeof value === 'bigint') return value;
      const read = value instanceof NumberLiteral ? readInteger(value) : undefined;
      return read?.kind === 'integer' ? read.value : invalid('quantity is not an integer');
    },
  };
}

function writing(
  world: World,
  steps: () => Steps,
): Pick<Steps, 'toPetId' | 'findPet' | 'apply' | 'list'> {
  return {
    toPetId(segment) {
      if (!canonicalInteger.test(segment)) return undefined;
      const petId = BigInt(segment);
      return BigInt.asIntN(64, petId) === petId ? petId : undefined;
    },
    findPet({ petId }) {
      const id = steps().toPetId(petId);
      const entry = id === undefined ? undefined : world.inventory.get(id);
      return entry ?? new Refusal(404, 'no_pet', 'there is no such pet');
    },
    apply(entry, quantity) {
      entry.quantity = quantity;
      return { ...entry };
    },
    list: () => [...world.inventory.values()],
  };
}

type Replying =
  | 'toItem'
  | 'toItemBody'
  | 'toListBody'
  | 'toErrorBody'
  | 'stringify'
  | 'reply'
  | 'refuse'
  | 'send';

function replying(steps: () => Steps): Pick<Steps, Replying> {
  return {
    toItem: ({ petId, quantity, status }) => ({ petId, quantity, status }),
    toItemBody: (entry, exchange) => steps().toItem(entry, exchange),
    toListBody: (entries, exchange) => entries.map((entry) => steps().toItem(entry, exchange)),
    toErrorBody: ({ code, message, status }) => ({ code, message, status }),
    stringify: (body) => stringifyExactJson(body),
    reply: (status, body, exchange) => ({
      status,
      headers: { 'Content-Type': 'application/json' },
      body: steps().stringify(body, exchange),
    }),
    refuse: (refusal, exchange) =>
      steps().reply(refusal.status, steps().toErrorBody(refusal, exchange), exchange),
    send({ status, headers, body }, _exchange, response) {
      response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
      response.end(body);
    },
  };
}
