import type { VerifierOptions } from '@pact-foundation/pact-core';

/** What the process answers, once. */
export type PactCoreAnswer =
  /** Pact's verifier has run; its results are JSON text. */
  | { readonly kind: 'verified'; readonly results: string }
  /** Pact's verifier could not run. */
  | { readonly kind: 'failed'; readonly message: string };

// A process of its own: the native library must not run in worker threads, writes to the standard
// output at will, and lets variables of the environment add pacts and leave interactions out.
process.once('message', (options: VerifierOptions) => {
  verify(options).then(
    (answer) => process.send?.(answer, () => process.disconnect()),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      process.send?.({ kind: 'failed', message }, () => process.disconnect());
    },
  );
});

async function verify(options: VerifierOptions): Promise<PactCoreAnswer> {
  const { default: core } = await import('@pact-foundation/pact-core');
  try {
    // Typed as text, but it may have been parsed.
    const results: unknown = await new core.Verifier(options).verify();
    return {
      kind: 'verified',
      results: typeof results === 'string' ? results : JSON.stringify(results),
    };
  } catch (error) {
    // A failed verification is thrown, its results in place of a message.
    const message = error instanceof Error ? error.message : String(error);
    return message.startsWith('{')
      ? { kind: 'verified', results: message }
      : { kind: 'failed', message };
  }
}
