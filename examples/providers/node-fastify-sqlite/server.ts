import { timingSafeEqual } from 'node:crypto';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { parseJson, toJson } from './exact-integers.ts';
import { Stock, type Item, type Status } from './stock.ts';

const apiKey = process.env['API_KEY'] ?? 'demo-key';
const port = Number(process.env['PORT'] ?? 8080);

const stock = new Stock(process.env['DATABASE'] ?? ':memory:');
const seed: readonly (readonly [petId: bigint, quantity: bigint, status: Status])[] = [
  [1n, 12n, 'available'],
  [2n, 0n, 'sold'],
  [3n, 4n, 'pending'],
  [9_007_199_254_740_993n, 7n, 'available'],
];
if (stock.list().length === 0) {
  for (const [petId, quantity, status] of seed) stock.put({ petId, quantity, status });
}

const app = Fastify({ forceCloseConnections: true });

// The bytes as they came: the body is parsed where its integers stay exact.
app.removeAllContentTypeParsers();
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
);
app.setErrorHandler((error: FastifyError, _request, reply) => {
  const status = error.statusCode ?? 500;
  return sendError(reply, status, status < 500 ? error.message : 'something went wrong');
});
app.setNotFoundHandler((_request, reply) => sendError(reply, 404, 'there is nothing here'));

void app.register(inventory, { prefix: '/v1' });

async function inventory(service: FastifyInstance): Promise<void> {
  service.addHook('onRequest', async (request, reply) => {
    if (isAuthorized(request.headers.authorization)) return;
    reply.header('WWW-Authenticate', 'Bearer');
    await sendError(reply, 401, 'the API key is missing or not valid');
  });

  service.get('/inventory', (_request, reply) => sendJson(reply, 200, stock.list()));

  service.patch<{ Params: { petId: string } }>('/inventory/:petId', (request, reply) => {
    const quantity = readQuantity(request.body);
    if (quantity === undefined) {
      return sendError(reply, 400, 'expected a body such as {"quantity": 5}');
    }
    const petId = readPetId(request.params.petId);
    const item = petId === undefined ? undefined : stock.update(petId, quantity);
    return item === undefined
      ? sendError(reply, 404, 'there is no such pet')
      : sendJson(reply, 200, item);
  });
}

/** What a test asks for: this belongs into no production build. */
app.post('/provider-states', (request, reply) => {
  const { state, params, action } = parseJson(String(request.body)) as {
    state: string;
    params: { items: Item[]; petId: bigint };
    action: 'setup' | 'teardown';
  };
  if (action === 'setup') {
    switch (state) {
      case 'the inventory has the items':
        for (const item of params.items) stock.put(item);
        break;
      case 'the inventory has no pet':
        stock.remove(params.petId);
        break;
      case 'the inventory is empty':
        stock.clear();
        break;
      default:
        return sendError(reply, 404, `there is no provider state ${JSON.stringify(state)}`);
    }
  }
  return sendJson(reply, 200, {});
});

function isAuthorized(header: string | undefined): boolean {
  const [, token = ''] = /^bearer +(\S+)$/i.exec(header ?? '') ?? [];
  const [sent, expected] = [Buffer.from(token), Buffer.from(apiKey)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

function readPetId(text: string): bigint | undefined {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const petId = BigInt(text);
  return BigInt.asIntN(64, petId) === petId ? petId : undefined;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readQuantity(body: unknown): bigint | undefined {
  if (!(body instanceof Uint8Array)) return undefined;
  try {
    const value = parseJson(decoder.decode(body));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const quantity: unknown = Object.hasOwn(value, 'quantity')
      ? (value as { quantity: unknown }).quantity
      : undefined;
    return typeof quantity === 'bigint' ? quantity : undefined;
  } catch {
    return undefined;
  }
}

const codes: { readonly [status: number]: string } = {
  400: 'invalid_request',
  401: 'unauthorized',
  404: 'not_found',
};

function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return sendJson(reply, status, { code: codes[status] ?? 'error', message, status });
}

function sendJson(reply: FastifyReply, status: number, value: unknown): FastifyReply {
  return reply.code(status).type('application/json').send(toJson(value));
}

const address = await app.listen({ port, host: '127.0.0.1' });
process.stdout.write(`listening on ${address}/v1\n`);
