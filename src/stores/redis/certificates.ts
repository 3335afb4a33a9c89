import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Certificates } from './redis-client.ts';
import type { CertificateFiles } from './redis-url.ts';
import { TroubleError } from './trouble.ts';

/**
 * Reads certificates. Files are read for every connection: a certificate that is renewed counts
 * without a restart.
 *
 * @throws {TroubleError}
 */
export async function readCertificates(files: CertificateFiles): Promise<Certificates> {
  const [ca, cert, key] = await Promise.all([
    read('cacert', files.cacert),
    read('cert', files.cert),
    read('key', files.key),
  ]);
  // Node.js ignores what it cannot read here, and trusts nobody then.
  if (ca !== undefined && !isCertificate(ca)) {
    throw new TroubleError({
      what: `cacert: the file ${files.cacert} does not begin with a certificate in PEM form`,
      remedy: 'Name the certificate of the CA that has signed those of the servers',
    });
  }
  const certificates = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  try {
    createSecureContext(certificates);
  } catch (error) {
    const { code = 'no code' } = error as NodeJS.ErrnoException;
    throw new TroubleError({
      what: `the files ${files.cert} (cert) and ${files.key} (key) cannot be used (${code})`,
      remedy: 'They must be a certificate and its key, in PEM form and without a passphrase',
    });
  }
  return certificates;
}

async function read(parameter: string, file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file);
  } catch (error) {
    const { code = 'no code' } = error as NodeJS.ErrnoException;
    throw new TroubleError({
      what: `${parameter}: the file ${file} cannot be read (${code})`,
      remedy: 'Correct its name, or let this process read it',
    });
  }
}

function isCertificate(bytes: Buffer): boolean {
  try {
    return new X509Certificate(bytes).subject !== '';
  } catch {
    return false;
  }
}
