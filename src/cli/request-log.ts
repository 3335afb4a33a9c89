import type { FaultHit } from '../mock/exchange.ts';
import type { Exchange } from '../server/exchange.ts';
import type { CliIo } from './io.ts';

export type LogLevel = 'requests' | 'errors' | 'silent';

export const logLevels: readonly LogLevel[] = ['requests', 'errors', 'silent'];

/**
 * Creates a log of one line for each exchange: method, path, status, milliseconds, which
 * fault did it, why refused.
 *
 * @returns `undefined` where nothing is to be logged, so that nothing is measured either
 */
export function createRequestLog(
  level: LogLevel,
  stdout: CliIo['stdout'],
): ((exchange: Exchange) => void) | undefined {
  if (level === 'silent') return undefined;
  let pending = '';
  const flush = (): void => {
    stdout.write(pending);
    pending = '';
  };
  return (exchange) => {
    if (level === 'errors' && isAnswered(exchange)) return;
    // One write for all the lines of a turn: under load, a write for each would cost more than
    // the request itself.
    if (pending === '') setImmediate(flush);
    pending += toLine(exchange);
  };
}

/** Nobody got in the way: neither a refusal, nor a fault, which may keep the answer back. */
function isAnswered({ status, fault }: Exchange): boolean {
  return status > 0 && status < 400 && fault === undefined;
}

// What would end the line, or command the terminal.
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

function toLine({ method, path, status, duration, fault, refusal }: Exchange): string {
  const what = `${[method, path].join(' ').trim()} ${status} ${duration.toFixed(1)} ms`;
  const why = refusal?.replace(control, escapeControl);
  if (fault === undefined) return why === undefined ? `${what}\n` : `${what}  ${why}\n`;
  const onPurpose = describeFault(fault);
  return why === undefined ? `${what}  ${onPurpose}\n` : `${what}  ${onPurpose}: ${why}\n`;
}

function escapeControl(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Somebody asked for it: whoever reads the log must not look for a bug. */
function describeFault({ id, kind }: FaultHit): string {
  return `on purpose, by ${id === 'prefer' ? 'Prefer' : `fault ${id}`} (${kind})`;
}
