import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Authority } from './certificates.ts';
import { requireDebianPackages } from './requirements.ts';

const run = promisify(execFile);

/** How long a Redis may take to start, or a cluster to become healthy, in milliseconds. */
const startTimeout = 30_000;

/** A Redis server that a test has started. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Of the process that runs now. */
  readonly pid: number;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Stops it from answering, without closing a connection; `SIGCONT` lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Starts it again after it was killed, with nothing in it. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a single Redis on a free port. It keeps nothing on disk. */
export async function startRedis(...options: readonly string[]): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-redis-'));
  const port = await freePort();
  // A replica is given the data at once, not after five seconds.
  const defaults = ['--save', '', '--appendonly', 'no', '--repl-diskless-sync-delay', '0'];
  const server = new Server(port, folder, [...defaults, ...options]);
  await server.start();
  return server;
}

export interface RedisCluster {
  /** The masters first, then the replicas. */
  readonly nodes: readonly RedisServer[];
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a cluster of three masters with a replica each, and waits until it is healthy.
 *
 * @param spare whether the first master has a second replica
 */
export async function startRedisCluster({
  spare = false,
}: { readonly spare?: boolean } = {}): Promise<RedisCluster> {
  const nodes: RedisServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    for (let count = 0; count < (spare ? 7 : 6); count += 1) {
      nodes.push(await startRedis('--cluster-enabled', 'yes', '--cluster-node-timeout', '2000'));
    }
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    const [master = '', ...others] = addresses.slice(0, 6);
    await cluster('create', master, ...others, '--cluster-replicas', '1', '--cluster-yes');
    await untilHealthy(nodes.slice(0, 6));
    for (const address of addresses.slice(6)) {
      const id = await redisCommand(nodes[0]?.port ?? 0, 'CLUSTER', 'MYID');
      await cluster('add-node', address, master, '--cluster-slave', '--cluster-master-id', id);
    }
    await untilHealthy(nodes);
    return { nodes, url: `redis+cluster://${addresses.join(',')}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function cluster(...args: readonly string[]): Promise<void> {
  await run(redisCli(), ['--cluster', ...args], { timeout: startTimeout });
}

/** Sends a command to a server with `redis-cli`. */
export async function redisCommand(port: number, ...command: readonly string[]): Promise<string> {
  const { stdout } = await run(redisCli(), ['-p', String(port), ...command], { timeout: 10_000 });
  return stdout.trim();
}

/** Starts a sentinel that watches a master, and makes a replica the master when that is gone. */
export async function startSentinel(
  masterPort: number,
  name: string,
  ...options: readonly string[]
): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-sentinel-'));
  // A sentinel wants a file that it can write to.
  const configuration = join(folder, 'sentinel.conf');
  await writeFile(
    configuration,
    [
      `sentinel monitor ${name} 127.0.0.1 ${masterPort} 1`,
      `sentinel down-after-milliseconds ${name} 1000`,
      `sentinel failover-timeout ${name} 3000`,
      '',
    ].join('\n'),
  );
  const server = new Server(await freePort(), folder, [configuration, '--sentinel', ...options]);
  await server.start();
  return server;
}

class Server implements RedisServer {
  readonly port: number;
  readonly #folder: string;
  readonly #options: readonly string[];
  #process: ChildProcess | undefined;

  constructor(port: number, folder: string, options: readonly string[]) {
    this.port = port;
    this.#folder = folder;
    this.#options = options;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  async start(): Promise<void> {
    const started = spawn(
      requireDebianPackages({ command: 'redis-server', packages: ['redis-server'] }),
      // The configuration file, where there is one, comes first.
      this.#options.concat(
        '--port',
        String(this.port),
        '--bind',
        '127.0.0.1',
        '--dir',
        this.#folder,
      ),
      { stdio: 'ignore' },
    );
    this.#process = started;
    await untilTrue(async () => {
      if (started.exitCode !== null) throw new Error(`redis-server ended: ${started.exitCode}`);
      const answer = await redisCommand(this.port, 'PING').catch(() => '');
      return /PONG|NOAUTH/.test(answer);
    });
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.kill(signal);
  }

  async stop(): Promise<void> {
    await this.#end('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  }
}

function redisCli(): string {
  return requireDebianPackages({ command: 'redis-cli', packages: ['redis-server'] });
}

async function untilHealthy(nodes: readonly RedisServer[]): Promise<void> {
  await untilTrue(async () => {
    const states = await Promise.all(
      nodes.map(async ({ port }) => [
        await redisCommand(port, 'CLUSTER', 'INFO'),
        await redisCommand(port, 'INFO', 'replication'),
      ]),
    );
    const replicas = states.map(([, replication = '']) =>
      Number(/connected_slaves:([0-9]+)/.exec(replication)?.[1] ?? 0),
    );
    return (
      replicas.reduce((sum, count) => sum + count, 0) === nodes.length - 3 &&
      states.every(
        ([state = '', replication = '']) =>
          state.includes('cluster_state:ok') &&
          (replication.includes('role:master') || replication.includes('master_link_status:up')),
      )
    );
  });
}

/** Asks until it is so; redis-server gives no other sign. */
export async function untilTrue(
  isTrue: () => Promise<boolean> | boolean,
  timeout: number = startTimeout,
): Promise<void> {
  const deadline = Date.now() + timeout;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`it is not so after ${timeout} ms`);
    await sleep(20);
  }
}

/**
 * What makes a server speak TLS on a port of its own, beside the plain one that tests give commands
 * by. It asks clients for a certificate, as Redis does where nobody says otherwise.
 */
export async function speakTls(
  authority: Authority,
  ...names: readonly string[]
): Promise<{ readonly port: number; readonly options: readonly string[] }> {
  const port = await freePort();
  const { cert, key } = await authority.sign(...names);
  const options = ['--tls-port', String(port), '--tls-cert-file', cert, '--tls-key-file', key];
  return { port, options: [...options, '--tls-ca-cert-file', authority.cert] };
}

/** A port that is free, and whose bus port (10,000 above) a cluster node can have too. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await listenOnce(0);
    if (port < 55_000 && (await listenOnce(port + 10_000).catch(() => 0)) > 0) return port;
  }
}

async function listenOnce(port: number): Promise<number> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
