import { stringifyExactJson, type ExactJson } from '../../json/exact-json.ts';
import type { JsonPath } from '../../json/json-path.ts';
import type { Sandboxes } from '../../mock/sandboxes.ts';
import { AdminRefusal, type AdminAnswer, type AdminStream } from './admin-answer.ts';
import type { AdminRoute } from './admin-route.ts';
import { smallBody } from './body-limits.ts';
import {
  expected,
  readApiKey,
  readBoolean,
  readFields,
  readString,
  refuseInput,
} from './read-input.ts';
import type { RunVerification, ServeAlone, VerificationOptions } from './verification.ts';

/** More runs than this at the same time would be in each other's way. */
const mostRuns = 4;

/** What the sandbox of a run lives for, in seconds, should the run not get to delete it. */
const timeToLive = 600;

/**
 * `/verifications`.
 *
 * @param serveAlone serves a mock on a port of its own
 */
export function verificationRoutes(
  sandboxes: Sandboxes,
  verify: RunVerification | undefined,
  serveAlone: ServeAlone,
): readonly AdminRoute[] {
  let runs = 0;

  const stream = (open: () => Promise<Provider>, run: RunVerification): AdminAnswer => {
    if (runs >= mostRuns) throw tooManyRuns();
    // Counted now: others may ask before this one begins.
    runs += 1;
    return {
      kind: 'stream',
      headers: { 'Content-Type': 'application/x-ndjson' },
      async run(output) {
        try {
          await verifyInto(output, open, run);
        } finally {
          runs -= 1;
        }
      },
    };
  };

  return [
    {
      operationId: 'runVerification',
      method: 'POST',
      path: '/verifications',
      body: { limit: smallBody, isOptional: true },
      async handle({ body = {} }) {
        if (verify === undefined) throw noVerifier();
        const wish = readWish(body);
        if (wish.kind === 'elsewhere') return stream(() => Promise.resolve(wish.provider), verify);
        // Asked for now: a sandbox that there is not must be 404, not the end of a stream.
        await sandboxes.get(wish.sandbox);
        const open = async (): Promise<Provider> => {
          const served = await serveCopy(sandboxes, wish.sandbox, serveAlone);
          return { ...served, readOnly: wish.readOnly };
        };
        return stream(open, verify);
      },
    },
  ];
}

/**
 * Serves a copy of a sandbox where requests without a key are its own as well: at the address of the server
 * they would be judged by the default sandbox, and stand in its journal.
 */
async function serveCopy(
  sandboxes: Sandboxes,
  like: string,
  serveAlone: ServeAlone,
): Promise<Pick<Provider, 'baseUrl' | 'apiKey' | 'close'>> {
  const { sandbox, apiKey } = await sandboxes.copy(like, { name: 'verification', timeToLive });
  const discard = (): Promise<void> => sandboxes.delete(sandbox.id);
  try {
    const server = await serveAlone(await sandboxes.alone(sandbox.id, [apiKey]));
    return {
      baseUrl: server.url,
      apiKey,
      async close() {
        await server.close(0);
        await discard();
      },
    };
  } catch (error) {
    // What went wrong first is what is told.
    await discard().catch(() => undefined);
    throw error;
  }
}

interface Provider extends Pick<VerificationOptions, 'baseUrl' | 'apiKey' | 'readOnly'> {
  /** Left out: there is nothing to give back. */
  readonly close?: () => Promise<void>;
}

async function verifyInto(
  output: AdminStream,
  open: () => Promise<Provider>,
  verify: RunVerification,
): Promise<void> {
  const tell = (line: unknown): void => output.write(`${stringifyExactJson(line)}\n`);
  let provider: Provider | undefined;
  try {
    provider = await open();
    const { baseUrl, apiKey, readOnly } = provider;
    const report = await verify({
      baseUrl,
      apiKey,
      readOnly,
      signal: output.signal,
      onStart: (subjects) => tell({ type: 'start', subjects }),
      onResult: (result) => tell({ type: 'result', result }),
    });
    tell({ type: 'end', report });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `the verification could not be run: ${why}`;
    tell({ type: 'error', error: { code: 'verification_failed', message, status: 500 } });
  } finally {
    // Whoever deleted it meanwhile did no harm.
    await provider?.close?.().catch(() => undefined);
    output.end();
  }
}

type Wish =
  | { readonly kind: 'here'; readonly sandbox: string; readonly readOnly: boolean }
  | { readonly kind: 'elsewhere'; readonly provider: Provider };

interface WishFields {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly sandbox: string;
  readonly readOnly: boolean;
}

function readWish(body: ExactJson): Wish {
  const wish = readFields<WishFields>(body, {
    baseUrl: readBaseUrl,
    apiKey: readApiKey,
    sandbox: readString,
    readOnly: readBoolean,
  });
  const { baseUrl, apiKey, sandbox, readOnly = false } = wish;
  if (baseUrl === undefined) {
    if (apiKey === undefined) return { kind: 'here', sandbox: sandbox ?? 'default', readOnly };
    const message = 'expected baseUrl beside it; a mock verifies itself with a key of its own';
    throw refuseInput([{ path: ['apiKey'], message }]);
  }
  if (sandbox !== undefined) {
    const message = 'expected sandbox or baseUrl, not both';
    throw refuseInput([{ path: ['sandbox'], message }]);
  }
  if (apiKey === undefined) throw expected('a key that the provider accepts', apiKey, ['apiKey']);
  return { kind: 'elsewhere', provider: { baseUrl, apiKey, readOnly } };
}

function readBaseUrl(value: ExactJson, path: JsonPath): string {
  const text = readString(value, path);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url !== undefined && ['http:', 'https:'].includes(url.protocol);
  if (!isHttp && !/[@?#]/.test(text)) {
    throw expected('an address such as http://127.0.0.1:4010/v1', value, path);
  }
  if (
    !isHttp ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    // The value is not repeated: it may hold a password.
    const message = 'expected an address without credentials, "?" and "#"';
    throw refuseInput([{ path, message }]);
  }
  return url.href;
}

function noVerifier(): AdminRefusal {
  const message = 'this server was started without a verifier; run: stockcheck verify <base-url>';
  return new AdminRefusal(501, 'not_implemented', message);
}

function tooManyRuns(): AdminRefusal {
  const message = `${mostRuns} verifications are under way; wait until one has ended`;
  return new AdminRefusal(503, 'unavailable', message, { 'Retry-After': '2' });
}
