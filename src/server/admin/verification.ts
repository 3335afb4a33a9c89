import type { Mock } from '../../mock/mock.ts';

/** Serves a mock alone, on a free port of this machine that nobody is told of. */
export type ServeAlone = (mock: Mock) => Promise<{
  /** The base address of the service. */
  readonly url: string;
  /** @param patience how long requests under way may take, in milliseconds */
  close(patience: number): Promise<void>;
}>;

/** What a verification is asked for. */
export interface VerificationOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly readOnly: boolean;
  /** Stops it; what it changed is restored all the same. */
  readonly signal: AbortSignal;
  /** Is told how many results there will be, before the first. */
  readonly onStart: (subjects: number) => void;
  /** Is told of every result as soon as it is there. */
  readonly onResult: (result: unknown) => void;
}

/**
 * Verifies a provider, and resolves to the report. The server knows no verifier: whoever starts it
 * hands one in.
 */
export type RunVerification = (options: VerificationOptions) => Promise<unknown>;
