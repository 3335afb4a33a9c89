/** The codes of our own error bodies; the spec leaves the set open (decision `error-codes`). */
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'not_found'
  | 'method_not_allowed'
  | 'content_too_large'
  | 'request_timeout'
  | 'unsupported_media_type'
  | 'header_fields_too_large'
  | 'internal_error'
  | 'too_many_requests'
  | 'unavailable';

export const errorCodes: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'not_found',
  'method_not_allowed',
  'content_too_large',
  'request_timeout',
  'unsupported_media_type',
  'header_fields_too_large',
  'internal_error',
  'too_many_requests',
  'unavailable',
];

/** Writes an Error body (spec, section 2) as JSON text; `status` repeats the HTTP status. */
export function toErrorJson(code: string, message: string, status: number): string {
  return JSON.stringify({ code, message, status });
}
