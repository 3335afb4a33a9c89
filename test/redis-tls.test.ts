import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openRedisSandboxes, type RedisStorage } from '../src/stores/redis.ts';
import { makeAuthority, type Authority, type Certificate } from './certificates.ts';
import {
  redisCommand,
  speakTls,
  startRedis,
  startSentinel,
  untilTrue,
  type RedisServer,
} from './redis-processes.ts';
import { runServe, startServe } from './served-process.ts';

let authority: Authority;
let stranger: Authority;
let ours: Certificate;
let server: RedisServer;
let at: string;

beforeAll(async () => {
  [authority, stranger] = await Promise.all([makeAuthority(), makeAuthority()]);
  ours = await authority.sign('DNS:stockcheck');
  const { port, options } = await speakTls(authority, 'IP:127.0.0.1', 'DNS:localhost');
  server = await startRedis(...options, '--tls-auth-clients', 'optional');
  at = `127.0.0.1:${port}`;
});

afterAll(async () => {
  await server.stop();
  await Promise.all([authority.remove(), stranger.remove()]);
});

async function open(url: string): Promise<RedisStorage> {
  const storage = await openRedisSandboxes({ url });
  onTestFinished(() => storage.close());
  return storage;
}

async function startWithTls(
  names: readonly string[],
  ...more: readonly string[]
): Promise<{ readonly server: RedisServer; readonly at: string }> {
  const { port, options } = await speakTls(authority, ...names);
  const started = await startRedis(...options, ...more);
  onTestFinished(() => started.stop());
  return { server: started, at: `127.0.0.1:${port}` };
}

async function refusalOf(url: string): Promise<string> {
  const refusal = await open(url).catch((error: unknown) => error);
  if (!(refusal instanceof Error)) throw new Error('it was not refused');
  const [, ...rest] = refusal.message.split(' cannot be used: ');
  return rest.join('');
}

const seed = [{ petId: 1n, quantity: 12n, status: 'available' }] as const;

async function expectToWork(url: string): Promise<void> {
  const storage = await open(url);
  const changes: string[] = [];
  storage.subscribe(({ kind }) => changes.push(kind), 'one');
  const sandbox = await storage.create({ id: 'one', settings: '{}', seed });
  if (sandbox === 'taken') throw new Error('the id is taken');
  await untilTrue(() => changes.length > 0);
  await sandbox.store.update(1n, { quantity: 5n });
  expect(await sandbox.store.get(1n)).toMatchObject({ quantity: 5n });
  await untilTrue(() => changes.includes('change'));
  expect(await storage.ready()).toEqual({ ready: true });
}

test('keeps sandboxes in a Redis whose certificate is signed by a CA that the user names', async () => {
  await expectToWork(`rediss://${at}?cacert=${authority.cert}`);
});

test('shows its own certificate to a Redis that asks for one', async () => {
  const strict = await startWithTls(['IP:127.0.0.1']);
  const { cert, key } = ours;
  const trusting = `rediss://${strict.at}?cacert=${authority.cert}`;
  await expectToWork(`${trusting}&cert=${cert}&key=${key}`);
  expect(await refusalOf(trusting)).toBe(
    `${strict.at} asks for a certificate. Name one and its key, PEM files: ?cert=FILE&key=FILE. Or set "tls-auth-clients no"`,
  );
  const other = await stranger.sign('DNS:stockcheck');
  expect(await refusalOf(`${trusting}&cert=${other.cert}&key=${other.key}`)).toMatch(
    /^127\.0\.0\.1:\d+ does not trust our certificate \(ERR_SSL_\w+\)\. Name one that its CA has signed: \?cert=FILE&key=FILE$/,
  );
});

test('works with a cluster over TLS, whose nodes are asked by TLS as well', async () => {
  const node = await startWithTls(
    ['IP:127.0.0.1'],
    '--cluster-enabled',
    'yes',
    '--tls-cluster',
    'yes',
  );
  await redisCommand(node.server.port, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await untilTrue(async () =>
    (await redisCommand(node.server.port, 'CLUSTER', 'INFO')).includes('cluster_state:ok'),
  );
  const { cert, key } = ours;
  await expectToWork(
    `rediss+cluster://${node.at}?cacert=${authority.cert}&cert=${cert}&key=${key}`,
  );
});

test('asks sentinels over TLS, and the master that they name', async () => {
  const master = await startWithTls(['IP:127.0.0.1'], '--tls-auth-clients', 'no');
  const { port, options } = await speakTls(authority, 'IP:127.0.0.1');
  const masterPort = Number(master.at.split(':')[1]);
  const sentinel = await startSentinel(
    masterPort,
    'stock',
    ...options,
    '--tls-auth-clients',
    'no',
    '--tls-replication',
    'yes',
  );
  onTestFinished(() => sentinel.stop());
  await expectToWork(`rediss+sentinel://127.0.0.1:${port}/stock?cacert=${authority.cert}`);
});

test('refuses a certificate that nobody signed who is trusted', async () => {
  expect(await refusalOf(`rediss://${at}`)).toBe(
    `the certificate of ${at} is not signed by anybody who is trusted here (SELF_SIGNED_CERT_IN_CHAIN). Name the certificate of its CA, a PEM file: ?cacert=FILE`,
  );
  expect(await refusalOf(`rediss://${at}?cacert=${stranger.cert}`)).toMatch(
    new RegExp(
      `^the certificate of ${at} is not signed by anybody who is trusted here \\(\\w+\\)\\. ${stranger.cert}, which cacert names, must hold the certificate of its CA$`,
    ),
  );
});

test('refuses a certificate that is for another host', async () => {
  const other = await startWithTls(['DNS:redis.example'], '--tls-auth-clients', 'no');
  expect(await refusalOf(`rediss://${other.at}?cacert=${authority.cert}`)).toBe(
    `the certificate of ${other.at} is not for that host, but for DNS:redis.example. Write a host that it is for, or have one made for this host`,
  );
});

test('says which of the two, redis or rediss, is right', async () => {
  expect(await refusalOf(`redis://${at}`)).toBe(
    `${at} closed the connection at once. Write rediss:// where it speaks TLS; else look whether it is a Redis`,
  );
  expect(await refusalOf(`redis+cluster://${at}`)).toBe(
    `none of its nodes can be asked: ${at} closed the connection at once. Write rediss+cluster:// where it speaks TLS; else look whether it is a Redis`,
  );
});

test('says what is wrong with the files that the URL names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const notes = join(folder, 'notes.txt');
  await writeFile(notes, 'no certificate');
  expect(await refusalOf(`rediss://${at}?cacert=${folder}/none.crt`)).toBe(
    `cacert: the file ${folder}/none.crt cannot be read (ENOENT). Correct its name, or let this process read it`,
  );
  expect(await refusalOf(`rediss://${at}?cacert=${notes}`)).toBe(
    `cacert: the file ${notes} does not begin with a certificate in PEM form. Name the certificate of the CA that has signed those of the servers`,
  );
  const { cert } = ours;
  const { key } = await authority.sign('DNS:other');
  expect(await refusalOf(`rediss://${at}?cert=${cert}&key=${key}`)).toBe(
    `the files ${cert} (cert) and ${key} (key) cannot be used (ERR_OSSL_X509_KEY_VALUES_MISMATCH). They must be a certificate and its key, in PEM form and without a passphrase`,
  );
});

test.for([
  [`redis://host?cacert=x`, 'redis://host: cacert, cert and key are for TLS only; write rediss'],
  [`rediss://host?cert=x`, 'rediss://host: cert and key are given together, or neither of them'],
])('refuses the URL %s', async ([url = '', message]) => {
  await expect(openRedisSandboxes({ url })).rejects.toThrow(message);
});

test('a certificate that is renewed counts without a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const cacert = join(folder, 'ca.crt');
  await copyFile(authority.cert, cacert);
  const storage = await open(`rediss://${at}?cacert=${cacert}&prefix=renewed`);
  await copyFile(stranger.cert, cacert);
  await redisCommand(server.port, 'CLIENT', 'KILL', 'TYPE', 'normal');
  await untilTrue(async () => {
    const readiness = await storage.ready();
    return !readiness.ready && readiness.reason.includes('is not signed by anybody');
  });
  await copyFile(authority.cert, cacert);
  await untilTrue(async () => (await storage.ready()).ready);
  expect(await storage.count()).toBe(0);
});

test('the server of the command line trusts what NODE_EXTRA_CA_CERTS names, or the URL', async () => {
  const store = `rediss://${at}`;
  const { code, errors } = await runServe(['--store', store]);
  expect(errors).toContain('is not signed by anybody who is trusted here');
  expect(code).toBe(2);
  await startServe(['--store', store], { NODE_EXTRA_CA_CERTS: authority.cert });
  await startServe(['--store', `${store}?cacert=${authority.cert}`, '--workers', '1']);
});
