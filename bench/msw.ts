/**
 * What the handlers of `stockcheck/msw` cost: the CPU time of MSW's own `getResponse` with them,
 * against a hand-written handler that does the same work on a Map, in the same run.
 *
 * `npx tsx bench/msw.ts` prints a table, and JSON with `--json`.
 */
import { getResponse, HttpResponse, http, type RequestHandler } from 'msw';
import { inventoryHandlers } from '../handlers/msw.ts';

const origin = 'https://api.example.com';
const headers = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };
const requestsPerRound = 200;
const warmUpRounds = 5;
const measuredRounds = 40;

interface Pet {
  readonly petId: number;
  quantity: number;
  readonly status: string;
}

function refuse(status: number, code: string, message: string): Response {
  return HttpResponse.json({ code, message, status }, { status });
}

function isAuthorized(request: Request): boolean {
  return request.headers.get('Authorization') === 'Bearer demo-key';
}

/** What somebody would write by hand: key, body and pet are checked, integers are doubles. */
function writeByHand(pets: Map<number, Pet>): RequestHandler[] {
  return [
    http.get('*/v1/inventory', ({ request }) =>
      isAuthorized(request)
        ? HttpResponse.json([...pets.values()])
        : refuse(401, 'unauthorized', 'the API key is not valid'),
    ),
    http.patch('*/v1/inventory/:petId', async ({ request, params }) => {
      if (!isAuthorized(request)) return refuse(401, 'unauthorized', 'the API key is not valid');
      const update: unknown = await request.json().catch(() => undefined);
      const isUpdate = typeof update === 'object' && update !== null && 'quantity' in update;
      if (!isUpdate || !Number.isInteger(update.quantity)) {
        return refuse(400, 'invalid_request', 'quantity must be an integer');
      }
      const pet = pets.get(Number(params['petId']));
      if (pet === undefined) return refuse(404, 'not_found', 'there is no such pet');
      pet.quantity = update.quantity as number;
      return HttpResponse.json(pet);
    }),
  ];
}

interface Case {
  readonly name: string;
  readonly pets: number;
  readonly toRequest: (count: number) => Request;
}

const list = (): Request => new Request(`${origin}/v1/inventory`, { headers });

const cases: readonly Case[] = [
  { name: 'list of 3', pets: 3, toRequest: list },
  { name: 'list of 100', pets: 100, toRequest: list },
  {
    name: 'PATCH among 100',
    pets: 100,
    toRequest: (count) =>
      new Request(`${origin}/v1/inventory/1`, {
        method: 'PATCH',
        headers,
        body: `{"quantity":${count}}`,
      }),
  },
  {
    name: 'refused with 401',
    pets: 100,
    toRequest: () => new Request(`${origin}/v1/inventory`),
  },
];

/** Milliseconds of CPU for a number of requests, bodies read. */
async function measure(handlers: RequestHandler[], { toRequest }: Case): Promise<number> {
  const before = process.cpuUsage();
  for (let count = 0; count < requestsPerRound; count += 1) {
    const response = await getResponse(handlers, toRequest(count));
    await response?.arrayBuffer();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const results = [];
for (const subject of cases) {
  const fixture = Array.from({ length: subject.pets }, (_, index): Pet => ({
    petId: index + 1,
    quantity: 5,
    status: 'available',
  }));
  const engine = [...inventoryHandlers({ fixture })];
  const byHand = writeByHand(new Map(fixture.map((pet) => [pet.petId, { ...pet }])));
  const rounds: { engine: number; byHand: number }[] = [];
  for (let round = -warmUpRounds; round < measuredRounds; round += 1) {
    const times = {
      engine: await measure(engine, subject),
      byHand: await measure(byHand, subject),
    };
    if (round >= 0) rounds.push(times);
  }
  const microseconds = (values: readonly number[]) =>
    Math.round((median(values) / requestsPerRound) * 1000);
  results.push({
    case: subject.name,
    'stockcheck/msw, µs': microseconds(rounds.map((times) => times.engine)),
    'by hand, µs': microseconds(rounds.map((times) => times.byHand)),
    ratio: Number(median(rounds.map((times) => times.engine / times.byHand)).toFixed(2)),
  });
}
if (process.argv.includes('--json')) console.log(JSON.stringify(results));
else console.table(results);
