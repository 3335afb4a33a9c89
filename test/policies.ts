import type { Choice } from '../contracts/case.ts';
import type { PolicyChanges } from '../src/mock/policy.ts';

/** A policy for every answer to a decision that is not the default. */
export const policies: readonly (Choice & { readonly policy: PolicyChanges })[] = [
  {
    decision: 'error-codes',
    choice: 'renamed',
    policy: { 'error-codes': { invalid_request: 'E400', unauthorized: 'E401', not_found: 'E404' } },
  },
  {
    decision: 'quantity-range',
    choice: 'bounded',
    policy: { 'quantity-range': { minimum: 0n, maximum: 2_147_483_647n } },
  },
  { decision: 'integer-notation', choice: 'refuse', policy: { 'integer-notation': 'refuse' } },
  { decision: 'unknown-fields', choice: 'refuse', policy: { 'unknown-fields': 'refuse' } },
  {
    decision: 'status-transition',
    choice: 'by-quantity',
    policy: { 'status-transition': 'by-quantity' },
  },
  {
    decision: 'error-precedence',
    choice: '404-first',
    policy: { 'error-precedence': '404-first' },
  },
  { decision: 'pet-id-syntax', choice: '400', policy: { 'pet-id-syntax': '400' } },
  { decision: 'content-type', choice: '415', policy: { 'content-type': '415' } },
  { decision: 'content-type', choice: 'ignore', policy: { 'content-type': 'ignore' } },
  { decision: 'scheme-case', choice: 'exact', policy: { 'scheme-case': 'exact' } },
  { decision: 'challenge', choice: 'none', policy: { challenge: 'none' } },
  { decision: 'unspecified-routes', choice: '404', policy: { 'unspecified-routes': '404' } },
  { decision: 'body-limit', choice: 'bytes', policy: { 'body-limit': 4096 } },
];
