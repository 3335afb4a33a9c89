import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSandboxes, type Sandboxes } from '../src/index.ts';
import { startServer } from '../src/server/index.ts';
import { freePort, untilTrue } from './redis-processes.ts';
import { requireDebianPackages } from './requirements.ts';

/** Answers every question for an IPv4 address with these (RFC 1035, section 4). */
async function startNameServer(addresses: () => readonly string[]): Promise<string> {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  socket.on('message', (query, { port, address }) => {
    let end = 12;
    while (query[end] !== 0) end += (query[end] ?? 0) + 1;
    const isForIpv4 = query.readUInt16BE(end + 1) === 1;
    const answers = (isForIpv4 ? addresses() : []).map((text) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...text.split('.').map(Number)]),
    );
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0]);
    head.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([head, query.subarray(12, end + 5), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

/** Starts nginx with the configuration of `deploy/`, other addresses aside. */
async function startBalancer(nameServer: string, serversPort: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-nginx-'));
  const port = await freePort();
  const text = await readFile('deploy/nginx.conf', 'utf8');
  const here = text
    .replace('resolver 127.0.0.11 ', `resolver ${nameServer} `)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('stockcheck:4010', `stockcheck:${serversPort}`);
  const program = requireDebianPackages({
    command: 'nginx',
    packages: ['nginx-light', 'libnginx-mod-stream'],
  });
  // The image has the module built in.
  const module = 'load_module /usr/lib/nginx/modules/ngx_stream_module.so;';
  const file = join(folder, 'nginx.conf');
  await writeFile(file, `${module}\npid ${join(folder, 'pid')};\n${here}`);
  const child = spawn(program, ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await untilTrue(async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${errors}`);
    return fetch(`${url}/_stockcheck/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return url;
}

async function list(url: string): Promise<number | string> {
  const headers = { Authorization: 'Bearer demo-key', Connection: 'close' };
  return fetch(`${url}/v1/inventory`, { headers }).then(
    ({ status }) => status,
    () => 'no answer',
  );
}

test('what the mock breaks on purpose comes through the balancer once and as it is', async () => {
  const sandboxes: Sandboxes = await createSandboxes();
  const port = await freePort();
  const hosts = ['127.0.0.2', '127.0.0.3'];
  const [first, second] = await Promise.all(
    hosts.map((host) => startServer({ sandboxes, host, port })),
  );
  if (first === undefined || second === undefined) throw new Error('there are two');
  onTestFinished(async () => {
    await first.close();
    await second.close();
  });
  const url = await startBalancer(await startNameServer(() => hosts), port);
  for (const [fault, seen] of [
    [{ kind: 'unavailable', status: 503 }, 503],
    [{ kind: 'reset' }, 'no answer'],
    [{ kind: 'empty-reply' }, 'no answer'],
  ] as const) {
    await sandboxes.default.setFaults([{ operation: 'listInventory', nth: 2, fault }]);
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await list(url));
    expect(answers).toEqual([200, seen, 200]);
  }
  // A server that is gone is passed over, whichever is asked first.
  await first.close();
  for (let count = 0; count < 4; count += 1) expect(await list(url)).toBe(200);
});
