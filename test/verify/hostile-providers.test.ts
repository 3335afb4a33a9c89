import type { ServerResponse } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onTestFinished, expect, test } from 'vitest';
import { concludeReport } from '../../src/verify/explain.ts';
import type { Report } from '../../src/verify/report.ts';
import { verify } from '../../src/verify/verify.ts';
import type { VerifyOptions } from '../../src/verify/verify-options.ts';
import { apiKey } from '../mock-under-test.ts';
import {
  isGrantedUpdate,
  listen,
  sendJson,
  startProvider,
  type Provider,
  type Received,
} from './provider.ts';

function verifyUrl(baseUrl: string, options: Partial<VerifyOptions> = {}): Promise<Report> {
  return verify({ baseUrl, apiKey, timeoutMs: 400, ...options });
}

const messages = (report: Report): string =>
  report.results.flatMap(({ findings }) => findings.map(({ message }) => message)).join('\n');

/** A provider below HTTP: it is given every connection and the bytes that come. */
async function startSocketProvider(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
    onTestFinished(() => void socket.destroy());
  });
  return listen(server);
}

test('is inconclusive where nothing is ever answered', async () => {
  const report = await verifyUrl(await startSocketProvider(() => {}));
  expect(report).toMatchObject({ exitCode: 3, requests: 2 });
  expect(report.reason).toContain('nothing came back within 400 ms');
});

const brokenLists: readonly (readonly [
  what: string,
  answer: (socket: Socket) => void,
  message: string,
])[] = [
  [
    'a body without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[');
      const pour = (): void => {
        while (!socket.destroyed && socket.write(' '.repeat(65_536)));
      };
      socket.on('drain', pour);
      pour();
    },
    'the body of the response has more than 1000000 bytes',
  ],
  [
    'a body that drips',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[');
      const drip = setInterval(() => socket.write(' '), 20);
      socket.on('close', () => clearInterval(drip));
    },
    'the response had not ended after 400 ms',
  ],
  [
    'headers without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('X: y\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    },
    'the headers of the response had not ended after 400 ms',
  ],
  [
    'fewer bytes than announced',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[]'),
    'the connection was closed after 2 bytes of a body that was announced with 100',
  ],
  [
    'more bytes than announced',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n[]'),
    'what came back is not HTTP/1.1',
  ],
  ['a closed connection', (socket) => socket.end(), 'without a response'],
  ['a reset', (socket) => socket.resetAndDestroy(), 'the connection was reset without a response'],
  ['something else than HTTP', (socket) => socket.end('+PONG\r\n'), 'what came back is not HTTP'],
];

for (const [what, answer, message] of brokenLists) {
  test(`fails a provider that sends ${what}`, async () => {
    const report = await verifyUrl(await startSocketProvider(answer), {
      maximumBodyBytes: 1_000_000,
    });
    expect(report.exitCode).toBe(1);
    expect(messages(report)).toContain(message);
  });
}

type Intercept = (received: Received, response: ServerResponse) => boolean;

const brokenAnswers: readonly (readonly [what: string, intercept: Intercept, message: string])[] = [
  [
    'redirects',
    (_, response) => {
      response.writeHead(307, { Location: 'https://elsewhere.example/v1/inventory' }).end();
      return true;
    },
    'it answered 307; expected 200 (a redirect to https://elsewhere.example/v1/inventory, which is not followed',
  ],
  [
    'HTML',
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome</h1>');
      return true;
    },
    'the header content-type is text/html; expected application/json',
  ],
  [
    'compressed bodies that nobody asked for',
    ({ method }, response) => {
      if (method !== 'GET') return false;
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
      response.end(gzipSync('[{"petId":4,"quantity":4,"status":"available"}]'));
      return true;
    },
    'the header content-encoding is gzip; expected no encoding',
  ],
  [
    'no response to updates',
    (received) => isGrantedUpdate(received),
    'nothing came back within 400 ms',
  ],
  [
    'a rate limit',
    ({ number }, response) =>
      number > 50 && sendJson(response, 429, '{"code":"slow","message":"slow down","status":429}'),
    'the specification documents no rate limit',
  ],
];

for (const [what, intercept, message] of brokenAnswers) {
  test(`fails a provider with ${what}`, async () => {
    const provider = await startProvider({ intercept });
    const report = await verifyUrl(provider.url);
    expect(report.exitCode).toBe(1);
    expect(messages(report)).toContain(message);
  });
}

for (const [what, intercept] of brokenAnswers.slice(0, 2)) {
  test(`asks for the address where everything is answered with ${what}`, async () => {
    const provider = await startProvider({ intercept });
    const report = await verifyUrl(provider.url);
    expect(concludeReport(report)).toBe(
      `The provider does not conform: no list with this key was answered with 200 and JSON; is ${provider.url} the address of the API, up to and with /v1?`,
    );
    expect(report.exitCode).toBe(1);
  });
}

test('stops soon where requests are not answered', async () => {
  const provider = await startProvider({ intercept: isGrantedUpdate });
  const report = await verifyUrl(provider.url);
  expect(report.reason).toContain('requests were not answered as a whole');
  // One by one they would take a minute.
  expect(provider.received.filter((one) => isGrantedUpdate(one)).length).toBeLessThan(40);
});

test('ends by its deadline where every answer is slow', async () => {
  const provider = await startProvider({
    intercept: async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
      return false;
    },
  });
  const report = await verifyUrl(provider.url, { deadlineMs: 600 });
  expect(report).toMatchObject({ exitCode: 3, reason: 'the time for the whole run was over' });
  expect(report.footprint.notRestored).toEqual([]);
});

test('waits where a provider that limits its rate says how long', async () => {
  let refused = 0;
  const provider = await startProvider({
    intercept: ({ number }, response) => {
      if (number % 100 !== 0) return false;
      refused += 1;
      response.setHeader('Retry-After', '0');
      return sendJson(response, 429, '{"code":"slow","message":"slow down","status":429}');
    },
  });
  expect(await verifyUrl(provider.url)).toMatchObject({ exitCode: 0 });
  expect(refused).toBeGreaterThan(3);
});

test('passes a provider that serves one connection at a time', async () => {
  const provider = await startProvider();
  let busy = false;
  const waiting: Socket[] = [];
  const next = (): void => {
    const socket = waiting.shift();
    busy = socket !== undefined;
    if (socket === undefined) return;
    socket.once('close', next);
    provider.server.emit('connection', socket);
    socket.resume();
  };
  const front = createServer({ pauseOnConnect: true }, (socket) => {
    waiting.push(socket);
    if (!busy) next();
  });
  const url = await listen(front);
  const report = await verifyUrl(url, { timeoutMs: 5000 });
  expect(messages(report)).toBe('');
  expect(report.exitCode).toBe(0);
});

test('passes a provider that closes every connection without saying so', async () => {
  const provider = await startProvider({
    intercept: (_, response) => {
      response.on('finish', () => setImmediate(() => response.socket?.destroy()));
      return false;
    },
  });
  const report = await verifyUrl(provider.url);
  expect(messages(report)).toBe('');
  expect(report.exitCode).toBe(0);
});

test('fails a provider that resets every ninth request', async () => {
  const provider = await startProvider({
    intercept: ({ number }, response) => {
      if (number % 9 !== 0) return false;
      response.socket?.resetAndDestroy();
      return true;
    },
  });
  const report = await verifyUrl(provider.url);
  expect(report.exitCode).toBe(1);
  expect(messages(report)).toContain('the connection was reset without a response');
});

/** Hands HTTP requests on, and answers as a server does that keeps connections without a word. */
function startQuietFront(provider: Provider): Promise<string> {
  let requests = 0;
  let hasDropped = false;
  const ready: (() => void)[] = [];
  const server = createServer((socket) => {
    let unread = Buffer.alloc(0);
    let turn = Promise.resolve();
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      for (;;) {
        const end = unread.indexOf('\r\n\r\n');
        if (end === -1) return;
        const head = unread.subarray(0, end).toString('latin1');
        const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
        if (unread.length < end + 4 + length) return;
        const message = unread.subarray(0, end + 4 + length);
        unread = unread.subarray(message.length);
        turn = turn.then(() => answerOne(head, message));
      }
    });
    const answerOne = async (head: string, message: Buffer): Promise<void> => {
      requests += 1;
      const isToClose = /^connection: *close/im.test(head);
      if (!isToClose && requests > 60 && !hasDropped) {
        hasDropped = true;
        socket.destroy();
        return;
      }
      const reply = await relay(provider, message);
      if (socket.destroyed) return;
      // Several replies arrive at once, so that some end while others still wait for a connection.
      if (ready.push(() => finish(reply, isToClose)) > 1) return;
      setTimeout(() => ready.splice(0).forEach((send) => send()), 4);
    };
    const finish = (reply: Buffer, isToClose: boolean): void => {
      socket.write(reply);
      if (!isToClose) return;
      // What still comes is not read any more.
      socket.removeAllListeners('data');
      setTimeout(() => socket.destroy(), 3);
    };
  });
  return listen(server);
}

/** One exchange over a connection of its own; no `Connection` header comes back. */
async function relay({ url }: Provider, message: Buffer): Promise<Buffer> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const text = message.toString('latin1').replace(/^connection: *[a-z-]+/im, 'Connection: close');
  socket.write(Buffer.from(text, 'latin1'));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const reply = Buffer.concat(chunks).toString('latin1');
  return Buffer.from(reply.replace(/\r\nconnection: *close/i, ''), 'latin1');
}

test('passes a provider that drops an idle connection, and closes others without a word', async () => {
  const report = await verifyUrl(await startQuietFront(await startProvider()), { timeoutMs: 5000 });
  expect(messages(report)).toBe('');
  expect(report.exitCode).toBe(0);
});

test('does not ask for ever where a provider limits the rate and says to wait no time', async () => {
  let asked = 0;
  const provider = await startProvider({
    intercept: (_received, response) => {
      asked += 1;
      if (asked < 20) return false;
      response.writeHead(429, { 'Retry-After': '0', 'Content-Type': 'application/json' });
      response.end('{"code":"slow","message":"","status":429}');
      return true;
    },
  });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 1500);
  const report = await verifyUrl(provider.url, { readOnly: true, signal: controller.signal });
  expect(report.exitCode).not.toBe(0);
  expect(asked).toBeLessThan(100);
});
