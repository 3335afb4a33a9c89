import { toErrorJson, type ErrorCode } from '../inventory/error-body.ts';
import { toItemJson } from '../inventory/item.ts';
import type { Outcome } from '../inventory/outcome.ts';
import type { MockRequest, MockResponse } from './exchange.ts';
import type { Policy } from './policy.ts';

// Any page may use the mock: that is what it is for, and a key is needed all the same.
const anyOrigin = ['Access-Control-Allow-Origin', '*'] as const;

const json: readonly string[] = ['Content-Type', 'application/json', ...anyOrigin];

/** Headers that a page may read only where they are named (CORS). */
const expose = (name: string): readonly string[] => ['Access-Control-Expose-Headers', name];

const jsonWith = (name: string, value: string): readonly string[] => [
  ...json,
  name,
  value,
  ...expose(name),
];

const challenge = jsonWith('WWW-Authenticate', 'Bearer');

/** Turns an outcome into HTTP. */
export function toResponse(outcome: Outcome, policy: Policy): MockResponse {
  switch (outcome.kind) {
    case 'listed':
      return { status: 200, headers: json, body: outcome.list };
    case 'updated': {
      const { petId, quantity, status } = outcome.item;
      return { status: 200, headers: json, body: toItemJson(petId, quantity, status) };
    }
    case 'invalid':
      return refuse(policy, 400, 'invalid_request', outcome.message);
    case 'unauthorized':
      return refuse(
        policy,
        401,
        'unauthorized',
        outcome.message,
        policy.challenge === 'bearer' ? challenge : json,
      );
    case 'notFound':
      return refuse(policy, 404, 'not_found', outcome.message);
    case 'methodNotAllowed':
      return refuse(
        policy,
        405,
        'method_not_allowed',
        outcome.message,
        jsonWith('Allow', outcome.allow),
      );
    case 'contentTooLarge':
      return refuse(policy, 413, 'content_too_large', outcome.message);
    case 'unsupportedMediaType':
      return refuse(policy, 415, 'unsupported_media_type', outcome.message);
    case 'unavailable': {
      const { status, retryAfter, message } = outcome;
      return refuse(
        policy,
        status,
        status === 503 ? 'unavailable' : 'too_many_requests',
        message,
        retryAfter === undefined ? json : jsonWith('Retry-After', String(retryAfter)),
      );
    }
  }
}

/** The answer to a bug of ours, which the caller reports. */
export function toInternalError(policy: Policy): MockResponse {
  return refuse(policy, 500, 'internal_error', 'the mock failed; this is a bug in the mock');
}

/**
 * Answers a preflight (CORS): on every path and for every method, so that the page gets to see what
 * the mock says of a path or a method that it does not know.
 */
export function toPreflightResponse(method: string, request: MockRequest): MockResponse {
  const headers = [
    ...anyOrigin,
    'Access-Control-Allow-Methods',
    method,
    'Access-Control-Allow-Headers',
    // The wildcard would not cover Authorization (Fetch standard, section 3.3.2).
    request.header('access-control-request-headers') ?? 'Authorization, Content-Type',
    'Access-Control-Max-Age',
    '600',
    'Vary',
    'Access-Control-Request-Method, Access-Control-Request-Headers',
  ];
  return { status: 204, headers, body: '' };
}

/** Answers OPTIONS as a question for the methods (RFC 9110, section 9.3.7). */
export function toOptionsResponse(allow: string): MockResponse {
  return { status: 204, headers: ['Allow', allow, ...anyOrigin, ...expose('Allow')], body: '' };
}

function refuse(
  policy: Policy,
  status: number,
  code: ErrorCode,
  message: string,
  headers = json,
): MockResponse {
  return {
    status,
    headers,
    body: toErrorJson(policy['error-codes'][code] ?? code, message, status),
    refusal: message,
  };
}
