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
    if (level === 'errors' && exchange.status < 400) return;
    // One write for all the lines of a turn: under load, a write for each would cost more than
    // the request itself.
    if (pending === '') setImmediate(flush);
    pending += toLine(exchange);
  };
}

function toLine({ method, path, status, duration, refusal }: Exchange): string {
  const why = refusal === undefined ? '' : `  ${refusal}`;
  return `${[method, path].join(' ').trim()} ${status} ${duration.toFixed(1)} ms${why}\n`;
}
