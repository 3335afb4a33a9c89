import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { redactApiKey, substituteApiKey } from './api-key.ts';
import { exchange, type ExchangeResult } from './http-exchange.ts';
import { changeState } from './state-change.ts';
import type { VerifiedProvider } from './verified-provider.ts';

/**
 * Stands between Pact's verifier and the provider. It puts the provider's key in the place of the
 * one in the pacts, so that the verifier never knows the key, changes nothing else, and sees to it
 * that a state which could not be set is not passed over.
 */
export interface Gateway {
  /** What Pact's verifier takes for the provider. */
  readonly providerUrl: string;
  /** What Pact's verifier takes for the state-change URL. */
  readonly stateUrl: string;
  /** What went wrong between the gateway and the provider, each once. */
  readonly problems: ReadonlySet<string>;
  close(): Promise<void>;
}

const statePath = '/stockcheck-provider-states';

/** Starts a gateway on a free port of this machine. */
export async function startGateway(options: VerifiedProvider): Promise<Gateway> {
  const trouble: Trouble = { problems: new Set(), unanswered: 0 };
  const server = createServer((incoming, outgoing) => {
    const handle = incoming.url === statePath ? setState : forward;
    handle(incoming, outgoing, options, trouble).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    providerUrl: origin,
    stateUrl: origin + statePath,
    problems: trouble.problems,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What went wrong so far. */
interface Trouble {
  readonly problems: Set<string>;
  unanswered: number;
}

/** After so many unanswered requests no more are sent: each may take the whole time-out. */
const patience = 3;

async function setState(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: VerifiedProvider,
  trouble: Trouble,
): Promise<void> {
  const body = await readBody(incoming);
  const change =
    trouble.unanswered < patience
      ? await changeState(body, options)
      : ({ kind: 'unanswered' } as const);
  if (change.kind === 'unanswered') trouble.unanswered += 1;
  if ('problem' in change) trouble.problems.add(change.problem);
  // Not 5xx: Pact's verifier would try again, and again.
  outgoing.writeHead(change.kind === 'set' ? 200 : 400, { 'Content-Type': 'application/json' });
  outgoing.end('{}');
}

/** What the verifier gets to see where the provider gave no answer. */
const noAnswer = {
  kind: 'answered',
  status: 504,
  headers: ['Content-Type', 'text/plain'],
  body: Buffer.from('no answer'),
} as const;

async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { baseUrl, apiKey, timeout }: VerifiedProvider,
  trouble: Trouble,
): Promise<void> {
  const body = await readBody(incoming);
  if (trouble.unanswered >= patience) return reply(outgoing, noAnswer, apiKey);
  const { method = 'GET', url = '/' } = incoming;
  const path = substituteApiKey(url, encodeURIComponent(apiKey));
  const target = baseUrl.href.replace(/\/$/, '') + path.replace(/^\/v1(?=\/)/, '');
  const answer = await exchange(
    {
      method,
      url: new URL(target),
      headers: toSentHeaders(incoming.rawHeaders, apiKey),
      ...(body.length === 0 ? {} : { body }),
    },
    timeout,
  );
  if (answer.kind === 'unanswered') {
    trouble.unanswered += 1;
    trouble.problems.add(`${method} ${url} got no answer that could be read: ${answer.problem}`);
    // Not a broken connection: Pact's verifier would try again.
    return reply(outgoing, noAnswer, apiKey);
  }
  reply(outgoing, answer, apiKey);
}

function reply(
  outgoing: ServerResponse,
  { status, headers, body }: Extract<ExchangeResult, { kind: 'answered' }>,
  apiKey: string,
): void {
  // A provider that repeats the key must not bring it into a report or to a broker.
  const redact = (text: string): string => redactApiKey(text, apiKey);
  const bytes = Buffer.from(redact(body.toString('latin1')), 'latin1');
  outgoing.writeHead(status, [
    ...withoutHopByHop(headers).map(redact),
    'Content-Length',
    `${bytes.length}`,
  ]);
  outgoing.end(bytes);
}

/** Fields that are about one connection or one framing only (RFC 9110, section 7.6.1). */
const hopByHop = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

function withoutHopByHop(headers: readonly string[]): string[] {
  return headers.filter((_, index) => !hopByHop.has(nameAt(headers, index)));
}

/** The name of the header that a name or a value belongs to, in lower case. */
function nameAt(headers: readonly string[], index: number): string {
  return headers[index - (index % 2)]?.toLowerCase() ?? '';
}

/** Without Accept-Encoding: the bytes that come back are those that are judged. */
function toSentHeaders(headers: readonly string[], apiKey: string): string[] {
  const kept = withoutHopByHop(headers);
  return kept
    .filter((_, index) => nameAt(kept, index) !== 'accept-encoding')
    .map((text, index) => (index % 2 === 0 ? text : substituteApiKey(text, apiKey)));
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
