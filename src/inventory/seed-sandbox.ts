import type { NewSandbox, SandboxStorage, StoredSandbox } from './sandbox-storage.ts';

/** How often somebody else may make or delete the sandbox meanwhile. */
const mostAttempts = 5;

/**
 * The sandbox of an id as it is kept; where there is none, it is made. Several processes may do this
 * at once with one storage.
 *
 * @param reseed whether to drop what is kept, snapshots included, and to start over
 * @throws {Error} where its key opens another sandbox
 */
export async function seedSandbox(
  storage: SandboxStorage,
  sandbox: NewSandbox & { readonly id: string },
  reseed = false,
): Promise<StoredSandbox> {
  if (reseed) await storage.delete(sandbox.id);
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    // One after another: each is an answer to the one before.
    // oxlint-disable-next-line no-await-in-loop
    const kept = await storage.get(sandbox.id);
    if (kept !== undefined) return kept;
    // oxlint-disable-next-line no-await-in-loop
    const made = await storage.create(sandbox);
    if (made !== 'taken') return made;
  }
  throw new Error(`the sandbox ${sandbox.id} cannot be made: its key opens another one`);
}
