import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { requireDebianPackages } from './requirements.ts';

/** A provider of `examples/providers/`, run as its README says. */
export interface ExampleProvider {
  readonly name: string;
  readonly directory: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Debian's packages that bring the command. Left out: it is there. */
  readonly packages?: readonly string[];
}

export const exampleProviders: readonly ExampleProvider[] = [
  {
    name: 'Node, Fastify and SQLite',
    directory: 'examples/providers/node-fastify-sqlite',
    command: process.execPath,
    args: ['server.ts'],
  },
  {
    name: 'Python',
    directory: 'examples/providers/python',
    command: 'python3',
    args: ['provider.py'],
    packages: ['python3'],
  },
  {
    name: 'Java',
    directory: 'examples/providers/java',
    command: 'java',
    args: ['Provider.java'],
    packages: ['openjdk-17-jdk-headless'],
  },
];

export interface RunningProvider {
  /** The base address, which ends in `/v1`. */
  readonly url: string;
  readonly stateUrl: string;
  stop(): Promise<void>;
}

/** Starts a provider as a process of its own on a free port. */
export async function startExampleProvider(
  { directory, command, args, packages }: ExampleProvider,
  apiKey: string,
): Promise<RunningProvider> {
  if (packages !== undefined) requireDebianPackages({ command, packages });
  const child = spawn(command, args, {
    cwd: directory,
    env: { ...process.env, PORT: '0', API_KEY: apiKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
    if (url === undefined) continue;
    return {
      url,
      stateUrl: new URL('/provider-states', url).href,
      stop: async () => {
        child.kill();
        await exited;
      },
    };
  }
  throw new Error(`${command} ${args.join(' ')} in ${directory} ended before it listened`);
}
