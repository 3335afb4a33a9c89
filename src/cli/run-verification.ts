import type { RunVerification } from '../server/admin/verification.ts';

/** Verifies a provider for the admin API, which knows no verifier itself. */
export const runVerification: RunVerification = async ({ onStart, ...options }) => {
  // Loaded late: the mock starts sooner without it.
  const { countSubjects, verify } = await import('../verify/verify.ts');
  onStart(countSubjects());
  return verify(options);
};
