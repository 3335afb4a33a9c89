import { HttpConnection } from './http-connection.ts';
import type { ServerProcess } from './server-process.ts';
import { quantile } from './statistics.ts';

/** The requests of one connection, in turn and over again. */
export type RequestCycle = readonly Uint8Array[];

export interface LoadResult {
  readonly requests: number;
  /** Requests for each second that the server spent on a processor. */
  readonly perCpuSecond: number;
  readonly perSecond: number;
  /** 99 of 100 requests were answered within this time, in milliseconds. */
  readonly p99: number;
}

/**
 * Keeps connections busy for some time: each sends its next request when the last was answered.
 *
 * @param cycles one for each connection
 */
export async function load(
  server: ServerProcess,
  cycles: readonly RequestCycle[],
  seconds: number,
): Promise<LoadResult> {
  const connections = await Promise.all(cycles.map(() => HttpConnection.open(server.port)));
  const latencies: number[] = [];
  const cpuBefore = server.cpuTime();
  const start = performance.now();
  const deadline = start + seconds * 1000;
  await Promise.all(
    connections.map((connection, index) =>
      repeat(connection, cycles[index] ?? [], deadline, latencies),
    ),
  );
  const elapsed = (performance.now() - start) / 1000;
  const cpu = server.cpuTime() - cpuBefore;
  for (const connection of connections) connection.close();
  return {
    requests: latencies.length,
    perCpuSecond: latencies.length / cpu,
    perSecond: latencies.length / elapsed,
    p99: quantile(latencies, 0.99),
  };
}

/** Works through a cycle until the deadline, and notes how long each answer took. */
function repeat(
  connection: HttpConnection,
  cycle: RequestCycle,
  deadline: number,
  latencies: number[],
): Promise<void> {
  return new Promise((resolve) => {
    let next = 0;
    let sentAt = performance.now();
    const send = (): void => {
      const request = cycle[next];
      if (request === undefined) throw new Error('a connection has nothing to send');
      next = (next + 1) % cycle.length;
      connection.send(request, finish);
    };
    const finish = (): void => {
      const now = performance.now();
      latencies.push(now - sentAt);
      sentAt = now;
      if (now < deadline) send();
      else resolve();
    };
    send();
  });
}
