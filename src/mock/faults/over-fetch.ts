import { toErrorJson } from '../../inventory/error-body.ts';
import type { Damage, Delivery } from '../exchange.ts';
import { dripEnd, dripInterval } from './drip.ts';

/** Says how a transport spoils a response; over fetch, it is done here. */
export function createDelivery(delay: number, damage: Damage | undefined): Delivery {
  return {
    delay,
    ...(damage === undefined ? {} : { damage }),
    overFetch: (respond, signal) => deliver(respond, signal, delay, damage),
  };
}

/** The kinds of damage that a WHATWG `Response` cannot show. */
export const impossibleOverFetch: readonly string[] = ['empty-reply'] satisfies Damage['kind'][];

/** For messages. */
export function describeImpossible(kind: string): string {
  return `the fault ${kind} cannot be made over fetch, as MSW needs it: there is no connection to close; use "reset", which a page cannot tell from it, or the standalone server`;
}

async function deliver(
  respond: () => Response,
  signal: AbortSignal,
  delay: number,
  damage: Damage | undefined,
): Promise<Response> {
  // A response that nobody waits for any more is none.
  if (!(await wait(delay, signal))) return Response.error();
  switch (damage?.kind) {
    case undefined:
      return respond();
    case 'reset':
      return Response.error();
    case 'hang':
      await aborted(signal);
      return Response.error();
    case 'empty-reply':
      return refuse(describeImpossible(damage.kind));
    case 'truncate':
      return withBody(respond(), (body) => truncate(body.subarray(0, damage.bytes)));
    case 'slow-drip':
      return withBody(respond(), (body) => drip(body, damage.bytesPerSecond, signal));
  }
}

/** @returns whether the time has passed, and the client is still there */
function wait(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted || milliseconds === 0) return Promise.resolve(!signal.aborted);
  return new Promise((resolve) => {
    const leave = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve(true);
    }, milliseconds);
    signal.addEventListener('abort', leave, { once: true });
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function refuse(message: string): Response {
  return new Response(toErrorJson('internal_error', message, 500), {
    status: 500,
    headers: { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' },
  });
}

type Bytes = Uint8Array<ArrayBuffer>;

async function withBody(
  response: Response,
  toStream: (body: Bytes) => ReadableStream<Bytes>,
): Promise<Response> {
  // The answer to HEAD.
  if (response.body === null) return response;
  const { status, headers } = response;
  return new Response(toStream(new Uint8Array(await response.arrayBuffer())), { status, headers });
}

/** Nothing is made before it is read: what waits in a stream that fails is lost. */
const whenRead = { highWaterMark: 0 };

function truncate(head: Bytes): ReadableStream<Bytes> {
  let rest = head;
  return new ReadableStream(
    {
      pull(controller) {
        if (rest.length === 0) controller.error(new TypeError('the body was truncated by a fault'));
        else {
          controller.enqueue(rest);
          rest = rest.subarray(rest.length);
        }
      },
    },
    whenRead,
  );
}

function drip(body: Bytes, bytesPerSecond: number, signal: AbortSignal): ReadableStream<Bytes> {
  let sent = 0;
  let intervals = 0;
  const left = new AbortController();
  const leaves = AbortSignal.any([left.signal, signal]);
  return new ReadableStream(
    {
      async pull(controller) {
        if (!(await wait(dripInterval(bytesPerSecond), leaves))) {
          if (!left.signal.aborted) controller.error(signal.reason);
          return;
        }
        intervals += 1;
        const end = Math.min(dripEnd(intervals, bytesPerSecond), body.length);
        // A copy: the reader may take the memory away.
        controller.enqueue(body.slice(sent, end));
        sent = end;
        if (sent === body.length) controller.close();
      },
      cancel: () => left.abort(),
    },
    whenRead,
  );
}
