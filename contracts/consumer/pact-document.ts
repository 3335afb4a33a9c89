import { stringifyExactJson } from '../../src/json/exact-json.ts';
import type { ProviderState } from '../provider-states.ts';

/** A matching rule of the Pact specification, version 4. */
export type Matcher =
  | { readonly match: 'type' | 'number' }
  | { readonly match: 'type'; readonly min: number }
  | { readonly match: 'regex'; readonly regex: string }
  | { readonly match: 'statusCode'; readonly status: readonly number[] }
  | {
      readonly match: 'arrayContains';
      readonly variants: readonly {
        readonly index: number;
        readonly rules: MatcherTable;
      }[];
    };

/** Matchers that must all hold. */
export interface MatcherList {
  readonly combine: 'AND';
  readonly matchers: readonly Matcher[];
}

/** Matchers by header name or JSON path. */
export type MatcherTable = { readonly [at: string]: MatcherList };

/** A body as a pact file carries it: JSON content, or bytes in base64. */
export type PactBody =
  | { readonly content: unknown; readonly contentType: string; readonly encoded: false }
  | { readonly content: string; readonly contentType: string; readonly encoded: 'base64' };

export interface PactRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: { readonly [name: string]: readonly string[] };
  readonly headers?: { readonly [name: string]: readonly string[] };
  readonly body?: PactBody;
}

export interface PactResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: readonly string[] };
  readonly body: PactBody;
  readonly matchingRules: {
    readonly status?: { readonly $: MatcherList };
    readonly header: MatcherTable;
    readonly body?: MatcherTable;
  };
}

export interface PactInteraction {
  readonly type: 'Synchronous/HTTP';
  /** The id of the case: verifiers repeat it in their results. */
  readonly key: string;
  readonly description: string;
  readonly pending: false;
  readonly comments: { readonly text: readonly string[]; readonly testname: string };
  readonly providerStates: readonly ProviderState[];
  readonly request: PactRequest;
  readonly response: PactResponse;
}

/** A pact file of the Pact specification, version 4. */
export interface PactDocument {
  readonly consumer: { readonly name: string };
  readonly provider: { readonly name: string };
  readonly interactions: readonly PactInteraction[];
  readonly metadata: { readonly pactSpecification: { readonly version: '4.0' } };
}

/** The name of a pact's file, as Pact's own tools make it. */
export function toPactFileName({ consumer, provider }: PactDocument): string {
  return `${consumer.name}-${provider.name}.json`;
}

/** Writes a pact file, always the same for the same pact. Integers keep their digits. */
export function toPactJson(pact: PactDocument): string {
  return `${stringifyExactJson(pact, 2)}\n`;
}
