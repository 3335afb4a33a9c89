import type { SandboxView } from '../../src/admin/admin-api.ts';

/** The names that more than one sandbox has. */
export function findTwice(views: readonly SandboxView[]): ReadonlySet<string> {
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const { name } of views) (once.has(name) ? twice : once).add(name);
  return twice;
}
