/** What a command may touch of the world. Only the binary knows `process`. */
export interface CliIo {
  readonly stdout: {
    write(text: string): unknown;
    /** Whether a person watches. */
    readonly isTTY?: boolean;
  };
  readonly stderr: { write(text: string): unknown };
  readonly env: { readonly [name: string]: string | undefined };
  /** Aborted when the user asks to stop. */
  readonly signal: AbortSignal;
}

/** Exit codes (design, "Names that users type"). */
export const exitCode = {
  conforms: 0,
  violations: 1,
  wrongUsage: 2,
  inconclusive: 3,
  bug: 70,
} as const;

/** The user asked for something that cannot be done. The message says what, why and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
