import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { describeJournal, readJournalText } from '../src/admin/test-sandbox.ts';
import {
  createAdminClient,
  AdminError,
  type AdminClientOptions,
  type AdminEvent,
} from '../src/admin/index.ts';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A server that is not Stockcheck's, and gives what answers a test needs. */
async function serve(listener: Listener): Promise<string> {
  const server = createServer((request, response) => void listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = (status: number, body: string): Promise<string> =>
  serve((_request, response) => void response.writeHead(status).end(body));

async function failureOf(promise: Promise<unknown>): Promise<AdminError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AdminError);
  return error as AdminError;
}

test.for(['', '/', '/v1', '/v1/', '/_stockcheck', '/_stockcheck/'])(
  'finds the admin API from the address with %j behind the origin',
  async (path) => {
    const paths: (string | undefined)[] = [];
    const origin = await serve((request, response) => {
      paths.push(request.url);
      response.end('{"fixtures":[]}');
    });
    const admin = createAdminClient({ url: `${origin}${path}?a#b` });
    await admin.fixtures();
    expect(paths).toEqual(['/_stockcheck/fixtures']);
    expect(admin.baseUrl).toBe(`${origin}/v1`);
  },
);

test('keeps the path of a server that stands behind another', () => {
  const admin = createAdminClient({ url: new URL('https://mocks.example/stock/v1') });
  expect(admin.baseUrl).toBe('https://mocks.example/stock/v1');
});

test.for(['127.0.0.1:4010', '', 'ftp://127.0.0.1/'])('refuses the address %j', (url) => {
  expect(() => createAdminClient({ url })).toThrow(
    'url must be the address of a Stockcheck server, such as http://127.0.0.1:4010; got ',
  );
});

function messageOf(options: AdminClientOptions): string {
  try {
    createAdminClient(options);
    return 'nothing was thrown';
  } catch (error) {
    return String(error);
  }
}

test('refuses an address with a password, and does not repeat it', () => {
  const message = messageOf({ url: 'http://me:secret@127.0.0.1:4010' });
  expect(message).toContain('url must hold no user name and no password');
  expect(message).not.toContain('secret');
});

test.for([
  'http://me:secret@127.0.0.1:99999',
  'ftp://me:secret@127.0.0.1',
  'http:me:se//secret@x:y',
  'me:secret@127.0.0.1',
])('does not repeat the password of an address that it cannot read: %s', (url) => {
  const message = messageOf({ url });
  expect(message).toContain('url must');
  expect(message).not.toContain('secret');
});

test('refuses a token that no header can hold, and does not repeat it', () => {
  const message = messageOf({ url: 'http://127.0.0.1:4010', token: 'se cret' });
  expect(message).toContain('the token must be one or more visible ASCII characters');
  expect(message).not.toContain('se cret');
});

test('says what to start where nothing listens', async () => {
  const url = await answering(200, '');
  await closing.pop()?.();
  const error = await failureOf(createAdminClient({ url }).createSandbox());
  const { port } = new URL(url);
  expect(error).toMatchObject({
    code: 'unreachable',
    status: undefined,
    method: 'POST',
    url: `${url}/_stockcheck/sandboxes`,
  });
  expect(error.message).toContain(`POST ${url}/_stockcheck/sandboxes got no answer`);
  expect(error.message).toContain('ECONNREFUSED');
  expect(error.message).toContain(`start it with: npx stockcheck --port ${port}`);
});

test('says to look at the address where another machine cannot be reached', async () => {
  const admin = createAdminClient({
    url: 'http://mocks.example',
    fetch: () => Promise.reject(new TypeError('fetch failed')),
  });
  expect((await failureOf(admin.fixtures())).message).toBe(
    'GET http://mocks.example/_stockcheck/fixtures got no answer: fetch failed; check the address, and that the server runs',
  );
});

test('gives code, status and message of a refusal', async () => {
  const url = await answering(404, '{"code":"not_found","message":"no such sandbox","status":404}');
  expect(await failureOf(createAdminClient({ url }).sandbox('abc').items())).toMatchObject({
    code: 'not_found',
    status: 404,
    message: `GET ${url}/_stockcheck/sandboxes/abc/inventory was refused with 404: no such sandbox`,
  });
});

test('says which token is missing, and hides one that a server repeats', async () => {
  const url = await serve((request, response) => {
    const sent = request.headers.authorization ?? 'none';
    const message = `got ${sent}`;
    response.writeHead(401).end(JSON.stringify({ code: 'unauthorized', message, status: 401 }));
  });
  const without = await failureOf(createAdminClient({ url }).fixtures());
  expect(without.message).toContain(
    'got none; give createAdminClient the token that the server printed at its start',
  );
  const wrong = await failureOf(createAdminClient({ url, token: 'sesame-123' }).fixtures());
  expect(wrong).toMatchObject({ code: 'unauthorized', status: 401 });
  expect(wrong.message).toContain('got Bearer …; the token that was given is not');
  expect(JSON.stringify([wrong, wrong.stack])).not.toContain('sesame-123');
});

test('hides a key of its own that a server repeats', async () => {
  const url = await answering(409, '{"code":"conflict","message":"my-key is taken","status":409}');
  const error = await failureOf(createAdminClient({ url }).createSandbox({ apiKey: 'my-key' }));
  expect(error.message).toContain('409: … is taken');
});

test.for([
  ['a page', 200, '<html>', 'and a body that is not JSON'],
  ['a number', 200, '5', 'and a body that is not an object'],
  ['a page instead of an error', 404, '<html>', 'not in the way of Stockcheck'],
  ['an error of another form', 500, '{"error":"oh"}', 'not in the way of Stockcheck'],
] as const)('says that %s is not what Stockcheck answers', async ([, status, body, problem]) => {
  const url = await answering(status, body);
  const error = await failureOf(createAdminClient({ url }).contract());
  expect(error).toMatchObject({ code: 'unexpected_answer', status });
  expect(error.message).toContain(problem);
  expect(error.message).toContain('is this the address of a Stockcheck server?');
});

test('says that an answer broke off', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Length': 100 }).write('[');
    setImmediate(() => response.destroy());
  });
  const error = await failureOf(createAdminClient({ url }).sandbox('abc').items());
  expect(error.code).toBe('unreachable');
  expect(error.message).toContain('got an answer that broke off');
});

test('gives up on an answer that does not come', async () => {
  const url = await serve(() => undefined);
  const error = await failureOf(createAdminClient({ url, timeoutMs: 50 }).fixtures());
  expect(error).toMatchObject({ code: 'timeout', status: undefined });
  expect(error.message).toContain('got no whole answer within 50 ms');
});

test('follows no redirect: it might lead the token elsewhere', async () => {
  const hits: (string | undefined)[] = [];
  const elsewhere = await serve((request, response) => {
    hits.push(request.headers.authorization);
    response.end('{}');
  });
  const url = await serve((_request, response) =>
    response.writeHead(307, { Location: elsewhere }).end(),
  );
  const error = await failureOf(createAdminClient({ url, token: 'sesame' }).openapi());
  expect(error.code).toBe('unreachable');
  expect(hits).toEqual([]);
});

test('tells a server that is down from one that is not ready', async () => {
  const url = await serve((request, response) => {
    const status = request.url === '/_stockcheck/live' ? 200 : 503;
    response.writeHead(status).end('{"code":"unavailable","message":"no store","status":503}');
  });
  const admin = createAdminClient({ url });
  expect([await admin.isLive(), await admin.isReady()]).toEqual([true, false]);
  await closing.pop()?.();
  expect(await admin.isLive()).toBe(false);
});

test('refuses numbers that have lost digits, before anything is sent', async () => {
  const admin = createAdminClient({ url: await serve(() => undefined) });
  const sandbox = admin.sandbox('abc');
  await expect(sandbox.setItem(2 ** 53, { quantity: 1 })).rejects.toThrow(
    'petId must be a safe integer or a bigint; got the number 9007199254740992',
  );
  await expect(sandbox.set([{ petId: 1, quantity: 2 ** 60, status: 'sold' }])).rejects.toThrow(
    '$[0].quantity must be a number that is exact, or a bigint; got 1152921504606847000',
  );
  await expect(
    admin.createSandbox({ fixture: { inventory: [{ petId: Number.NaN }] } }),
  ).rejects.toThrow('$.fixture.inventory[0].petId must be a number that is exact');
  await expect(admin.createSandbox({ fixture: '{"inventory": [' })).rejects.toThrow(
    'the text of the fixture is not JSON',
  );
});

test.for(['', '.', '..'])('refuses the name %j, which no address can hold', async (name) => {
  const sandbox = createAdminClient({ url: 'http://127.0.0.1:9' }).sandbox('abc');
  await expect(sandbox.restore(name)).rejects.toThrow('cannot be a name: no address can hold it');
});

const json = (response: ServerResponse, body: object): void => {
  response.end(JSON.stringify(body));
};

test('says what it waited for, and that the sandbox saw nothing', async () => {
  const url = await serve((_request, response) => json(response, { exchanges: [], last: 0 }));
  const waiting = createAdminClient({ url })
    .sandbox('abc')
    .waitForRequest({ operation: 'updateInventory', petId: 12n }, { timeoutMs: 0 });
  expect(await failureOf(waiting)).toMatchObject({
    code: 'request_not_seen',
    message: `no request with operation updateInventory, petId 12 came to sandbox abc within 0 ms; it has seen none at all: does the client under test send the key of the sandbox to ${url}/v1?`,
  });
});

const partOfJournal = 'part of the journal is missing: a server over the same Redis did not answer';

test('says that it has not seen the whole journal', async () => {
  const url = await serve((_request, response) =>
    json(response, { exchanges: [], last: 0, isPartial: true }),
  );
  const waiting = createAdminClient({ url }).sandbox('abc').waitForRequest({}, { timeoutMs: 0 });
  const { message } = await failureOf(waiting);
  expect(message).toContain(`within 0 ms; ${partOfJournal}; it has seen none at all`);
});

test('finds in the end what was missing before', async () => {
  const asked: (string | null)[] = [];
  const url = await serve((request, response) => {
    asked.push(new URL(request.url ?? '', url).searchParams.get('after'));
    const late = { sequence: 3, request: {}, response: {} };
    if (asked.length === 1) json(response, { exchanges: [], last: 5, isPartial: true });
    else json(response, { exchanges: [late], last: 5 });
  });
  const waiting = createAdminClient({ url }).sandbox('abc').waitForRequest({}, { timeoutMs: 0 });
  expect(await waiting).toMatchObject({ sequence: 3 });
  expect(asked).toEqual(['0', '0']);
});

test('says of the journal of a test that part of it is missing', async () => {
  const url = await serve((_request, response) =>
    json(response, { exchanges: [], last: 0, isPartial: true }),
  );
  const sandbox = createAdminClient({ url }).sandbox('abc');
  expect(await describeJournal(sandbox, 'sells')).toBe(
    `the last requests to the sandbox of "sells":\n  none\n${partOfJournal}`,
  );
  expect(JSON.parse(await readJournalText(sandbox))).toMatchObject({
    note: partOfJournal,
    isPartial: true,
  });
});

test.for([-1, Number.NaN, Infinity])('refuses to wait for %d milliseconds', async (timeoutMs) => {
  const sandbox = createAdminClient({ url: 'http://127.0.0.1:9' }).sandbox('abc');
  await expect(sandbox.waitForRequest({}, { timeoutMs })).rejects.toThrow(
    `timeoutMs must be a number of milliseconds from 0 to 2147483647; got ${timeoutMs}`,
  );
});

test('asks only once for an exchange that it was not waiting for', async () => {
  const asked: (string | null)[] = [];
  const url = await serve((request, response) => {
    asked.push(new URL(request.url ?? '', url).searchParams.get('after'));
    const exchange = { sequence: asked.length, request: {}, response: {} };
    json(response, { exchanges: [exchange], last: asked.length });
  });
  const sandbox = createAdminClient({ url }).sandbox('abc');
  await sandbox.waitForRequest({}, { matching: ({ sequence }) => sequence === 3 });
  expect(asked).toEqual(['0', '1', '2']);
});

test('waits for an exchange longer than an answer may take otherwise', async () => {
  let calls = 0;
  const url = await serve((_request, response) => {
    calls += 1;
    // The second look is held, as by a server that waits for a request.
    if (calls !== 2) json(response, { exchanges: [], last: 0 });
  });
  const sandbox = createAdminClient({ url, timeoutMs: 500 }).sandbox('abc');
  const error = await failureOf(sandbox.waitForRequest({}, { timeoutMs: 1000 }));
  expect(error.code).toBe('request_not_seen');
});

const event = (id: number, petId: number | string): string =>
  `id: ${id}\nevent: change\ndata: {"type":"change","sandbox":"abc",\ndata: "item":{"petId":${petId}}}\n\n`;

test('reads events however they are cut, and goes on where a connection broke off', async () => {
  const resumed: (string | undefined)[] = [];
  const url = await serve(async (request, response) => {
    resumed.push(request.headers['last-event-id'] as string | undefined);
    const status = resumed.length === 4 ? 503 : 200;
    response.writeHead(status, { 'Content-Type': 'text/event-stream' });
    if (resumed.length === 1) {
      response.write('retry: 1\nid: 6\n\n: hello é\n\n');
      const bytes = Buffer.from(event(7, '9007199254740993').replaceAll('\n', '\r\n'));
      for (const byte of bytes) {
        response.write(Uint8Array.of(byte));
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
      response.write('id: 8\nda');
      response.destroy();
    } else if (resumed.length === 2) {
      response.end(event(8, 2));
    } else if (resumed.length === 3) {
      response.socket?.destroy();
    } else if (resumed.length === 4) {
      response.end('a proxy says that the server is not there yet');
    } else {
      response.write(`${event(9, 3)}event: deleted\ndata: {"type":"deleted","sandbox":"abc"}\n\n`);
    }
  });
  const seen: AdminEvent[] = [];
  for await (const told of createAdminClient({ url }).sandbox('abc').events()) seen.push(told);
  expect(seen.map((told) => (told.type === 'change' ? told.item.petId : told.type))).toEqual([
    9_007_199_254_740_993n,
    2n,
    3n,
    'deleted',
  ]);
  expect(resumed).toEqual([undefined, '7', '8', '8', '8']);
});

test('resumes behind the id that a silent stream began with', async () => {
  const resumed: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    resumed.push(request.headers['last-event-id'] as string | undefined);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    if (resumed.length === 1) response.end('retry: 1\nid: 41\n\n');
    else response.write('data: {"type":"deleted","sandbox":"abc"}\n\n');
  });
  for await (const told of createAdminClient({ url }).sandbox('abc').events()) {
    expect(told.type).toBe('deleted');
  }
  expect(resumed).toEqual([undefined, '41']);
});

test('ends events without an error when its signal is aborted, also between two connections', async () => {
  let connections = 0;
  const url = await serve((_request, response) => {
    connections += 1;
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.end(`retry: 600000\n${event(1, 1)}`);
  });
  const stop = new AbortController();
  const events = createAdminClient({ url }).events(stop.signal);
  for await (const told of events) {
    expect(told.type).toBe('change');
    setImmediate(() => stop.abort());
  }
  expect(connections).toBe(1);
});

test('gives events that are refused again, and those that make no sense, as errors', async () => {
  const refused = createAdminClient({
    url: await answering(404, '{"code":"not_found","message":"gone","status":404}'),
  }).sandbox('abc');
  expect(await failureOf(refused.events().open())).toMatchObject({ code: 'not_found' });
  const odd = createAdminClient({ url: await answering(200, 'data: {\n\n') }).events();
  expect((await failureOf(Array.fromAsync(odd))).message).toContain(
    'sent an event that is not JSON',
  );
});

test.for([
  ['breaks off', '{"type":"start","subjects":3}\n{"type":', 'broke off before its end'],
  ['is not JSON', 'oh\n', 'sent a line that is not JSON'],
  [
    'fails',
    '{"type":"error","error":{"code":"verification_failed","message":"oh","status":500}}\n',
    'failed: oh',
  ],
] as const)('says so where a verification %s', async ([, body, problem]) => {
  const admin = createAdminClient({ url: await answering(200, body) });
  expect((await failureOf(Array.fromAsync(admin.verify()))).message).toContain(problem);
});
