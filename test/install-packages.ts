import { requireDebianPackages, type DebianRequirement } from './requirements.ts';

/** What most test files need. */
const requirements: readonly DebianRequirement[] = [
  { command: 'chromium', packages: ['chromium'] },
  { command: 'redis-server', packages: ['redis-server'] },
  { command: 'nginx', packages: ['nginx-light', 'libnginx-mod-stream'] },
  { command: 'curl', packages: ['curl'] },
];

/** Installs it before the first test, which has no time for it, where that is possible. */
export function setup(): void {
  if (process.getuid?.() !== 0) return;
  for (const requirement of requirements) {
    try {
      requireDebianPackages(requirement);
    } catch {
      // The tests that need it say so, and what to run.
    }
  }
}
