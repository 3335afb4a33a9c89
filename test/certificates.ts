import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireDebianPackages } from './requirements.ts';

const run = promisify(execFile);

/** A certificate and its key, files in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Somebody who signs certificates, known to nobody else. */
export interface Authority {
  readonly cert: string;
  /** @param names what it is for, as `IP:127.0.0.1` or `DNS:localhost` */
  sign(...names: readonly string[]): Promise<Certificate>;
  remove(): Promise<void>;
}

export async function makeAuthority(): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-certificates-'));
  const authority = await make(folder, 'ca', ['-subj', '/CN=Authority of a test']);
  let count = 0;
  return {
    cert: authority.cert,
    sign: (...names) =>
      make(
        folder,
        `signed-${(count += 1)}`,
        [
          ['-CA', authority.cert, '-CAkey', authority.key, '-subj', '/CN=Signed in a test'],
          ['-addext', `subjectAltName=${names.join(',')}`],
          ['-addext', 'basicConstraints=critical,CA:FALSE'],
        ].flat(),
      ),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function make(
  folder: string,
  name: string,
  options: readonly string[],
): Promise<Certificate> {
  const certificate = { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  const kind = 'req -x509 -days 1 -noenc -newkey ec -pkeyopt ec_paramgen_curve:prime256v1';
  await run(
    requireDebianPackages({ command: 'openssl', packages: ['openssl'] }),
    kind.split(' ').concat('-keyout', certificate.key, '-out', certificate.cert, options),
  );
  return certificate;
}
