import type { Exchange } from '../server/exchange.ts';
import type { CliIo } from './io.ts';

export type LogLevel = 'requests' | 'errors' | 'silent';

export const logLevels: readonly LogLevel[] = ['requests', 'errors', 'silent'];

/**
 * Creates a log of one line for each exchange: method, path, status, milliseconds, why refused.
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
    // 0: a fault kept the answer back.
    if (level === 'errors' && exchange.status > 0 && exchange.status < 400) return;
    // One write for all the lines of a turn: under load, a write for each would cost more than
    // the request itself.
    if (pending === '') setImmediate(flush);
    pending += toLine(exchange);
  };
}

// What would end the line, or command the terminal.
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

function toLine({ method, path, status, duration, refusal }: Exchange): string {
  const why =
    refusal === undefined
      ? ''
      : `  ${refusal.replace(control, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}`;
  return `${[method, path].join(' ').trim()} ${status} ${duration.toFixed(1)} ms${why}\n`;
}
