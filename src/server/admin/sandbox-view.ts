import type { SandboxView } from '../../admin/admin-api.ts';
import type { Sandbox } from '../../mock/sandbox.ts';

/** A sandbox as the admin API shows it. Its key is not in it. */
export async function toSandboxView(sandbox: Sandbox): Promise<SandboxView> {
  const [pets, snapshots, faults] = await Promise.all([
    sandbox.count(),
    sandbox.snapshots(),
    sandbox.faults(),
  ]);
  const { id, name, fixture, expiresAt, scenario } = sandbox;
  return {
    id,
    name,
    fixture,
    pets,
    createdAt: toTime(sandbox.createdAt),
    ...(expiresAt === undefined ? {} : { expiresAt: toTime(expiresAt) }),
    policy: sandbox.policy,
    seed: sandbox.seed,
    ...(scenario === undefined ? {} : { scenario }),
    scenarios: sandbox.scenarios,
    faults: faults.map((fault) => ({ ...fault, rule: { ...fault.rule } })),
    snapshots: snapshots.map((entry) => ({
      name: entry.name,
      createdAt: toTime(entry.createdAt),
    })),
  };
}

/** ISO 8601, in UTC. @param milliseconds since the epoch */
export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
