import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a {@link LocalBroker} got. */
export interface BrokerRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** As much of a Pact Broker as verifying a provider needs, for tests. */
export interface LocalBroker {
  readonly url: string;
  readonly requests: readonly BrokerRequest[];
  close(): Promise<void>;
}

const provider = 'pet-store-inventory';
const verificationPath = `/pacts/provider/${provider}/for-verification`;

/** Starts a broker that holds these pacts, each JSON text. */
export async function startLocalBroker(pacts: readonly string[]): Promise<LocalBroker> {
  const requests: BrokerRequest[] = [];
  let url = '';
  const receive = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = incoming;
    const body = await readText(incoming);
    requests.push({ method, path, authorization: headers.authorization, body });
    answer(outgoing, method, path, url, pacts);
  };
  const server = createServer((incoming, outgoing) => void receive(incoming, outgoing));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  let text = '';
  incoming.setEncoding('utf8');
  for await (const chunk of incoming as AsyncIterable<string>) text += chunk;
  return text;
}

function answer(
  outgoing: ServerResponse,
  method: string,
  path: string,
  url: string,
  pacts: readonly string[],
): void {
  const send = (status: number, text: string): void => {
    outgoing.writeHead(status, { 'Content-Type': 'application/hal+json' }).end(text);
  };
  const pact = pacts[Number(/^\/pacts\/(\d+)$/.exec(path)?.[1] ?? -1)];
  if (method === 'PUT' || path.endsWith('/results')) send(201, '{}');
  else if (path === '/') send(200, toIndex(url));
  else if (path === verificationPath) send(200, toVerifiable(url, pacts));
  else if (path === `/pacticipants/${provider}`) send(200, toPacticipant(url));
  else if (pact !== undefined) send(200, withLinks(pact, url, path));
  else send(404, '{}');
}

const link = (href: string) => ({ href });
const template = (href: string) => ({ href, templated: true });

function toIndex(url: string): string {
  return JSON.stringify({
    _links: {
      'pb:provider-pacts-for-verification': template(
        `${url}/pacts/provider/{provider}/for-verification`,
      ),
    },
  });
}

function toVerifiable(url: string, pacts: readonly string[]): string {
  return JSON.stringify({
    _embedded: {
      pacts: pacts.map((_, index) => ({
        shortDescription: 'latest',
        verificationProperties: { pending: false, notices: [] },
        _links: { self: { href: `${url}/pacts/${index}`, name: `pact ${index}` } },
      })),
    },
    _links: { self: link(url + verificationPath) },
  });
}

function toPacticipant(url: string): string {
  const self = `${url}/pacticipants/${provider}`;
  return JSON.stringify({
    _links: {
      self: link(self),
      'pb:version-tag': template(`${self}/versions/{version}/tags/{tag}`),
      'pb:branch-version': template(`${self}/branches/{branch}/versions/{version}`),
    },
  });
}

/** Adds the links as text: the pact keeps its digits. */
function withLinks(pact: string, url: string, path: string): string {
  const links = JSON.stringify({
    self: link(url + path),
    'pb:provider': link(`${url}/pacticipants/${provider}`),
    'pb:publish-verification-results': link(`${url}${path}/results`),
  });
  return pact.replace('{', `{"_links":${links},`);
}
