import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expectInstalled, java, python, type Requirement } from './requirements.ts';

/** A provider of `examples/providers/`, run as its README says. */
export interface ExampleProvider {
  readonly name: string;
  readonly directory: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly requirement?: Requirement;
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
    requirement: python,
  },
  {
    name: 'Java',
    directory: 'examples/providers/java',
    command: 'java',
    args: ['Provider.java'],
    requirement: java,
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
  { directory, command, args, requirement }: ExampleProvider,
  apiKey: string,
): Promise<RunningProvider> {
  if (requirement !== undefined) await expectInstalled(requirement);
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
