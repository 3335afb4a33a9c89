import type { BrokenProvider } from '../mutant.ts';
import { errorStatuses, jsonHeaders, replaceReply } from '../replace-reply.ts';
import type { Change, Refusal, Reply } from '../steps.ts';

const writes =
  (toBody: (refusal: Refusal) => unknown): Change =>
  () => ({ toErrorBody: toBody });

const sends = (change: (reply: Reply) => Partial<Reply>): Change =>
  replaceReply(errorStatuses, (reply) => ({ ...reply, ...change(reply) }));

const onlyOn =
  (status: number, toBody: (refusal: Refusal) => unknown): Change =>
  (base) => ({
    toErrorBody: (refusal, exchange) =>
      refusal.status === status ? toBody(refusal) : base.toErrorBody(refusal, exchange),
  });

const fields: readonly BrokenProvider[] = [
  {
    name: 'error-without-code',
    breaks: '2/error-fields',
    summary: 'sends errors without code',
    change: writes(({ message, status }) => ({ message, status })),
  },
  {
    name: 'error-without-message',
    breaks: '2/error-fields',
    summary: 'sends errors without message',
    change: writes(({ code, status }) => ({ code, status })),
  },
  {
    name: 'error-without-status',
    breaks: '2/error-fields',
    summary: 'sends errors without status',
    change: writes(({ code, message }) => ({ code, message })),
  },
  {
    name: 'error-without-code-on-404',
    breaks: '2/error-fields',
    summary: 'sends 404 without code',
    change: onlyOn(404, ({ message, status }) => ({ message, status })),
  },
  {
    name: 'error-without-message-on-400',
    breaks: '2/error-fields',
    summary: 'sends 400 without message',
    change: onlyOn(400, ({ code, status }) => ({ code, status })),
  },
  {
    name: 'error-without-status-on-401',
    breaks: '2/error-fields',
    summary: 'sends 401 without status',
    change: onlyOn(401, ({ code, message }) => ({ code, message })),
  },
  {
    name: 'error-names-capitalised',
    breaks: '2/error-fields',
    summary: 'writes Code, Message and Status',
    change: writes(({ code, message, status }) => ({
      Code: code,
      Message: message,
      Status: status,
    })),
  },
  {
    name: 'error-status-code-renamed',
    breaks: '2/error-fields',
    summary: 'writes statusCode for status',
    change: writes(({ code, message, status }) => ({ code, message, statusCode: status })),
  },
  {
    name: 'error-code-number',
    breaks: '2/error-code-string',
    summary: 'writes the code as a number',
    change: writes(({ message, status }) => ({ code: status * 100, message, status })),
  },
  {
    name: 'error-code-null',
    breaks: '2/error-code-string',
    summary: 'writes a code of null',
    change: writes(({ message, status }) => ({ code: null, message, status })),
  },
  {
    name: 'error-code-number-on-404',
    breaks: '2/error-code-string',
    summary: 'writes the code of a 404 as a number',
    change: onlyOn(404, ({ message, status }) => ({ code: 404, message, status })),
  },
  {
    name: 'error-message-null',
    breaks: '2/error-message-string',
    summary: 'writes a message of null',
    change: writes(({ code, status }) => ({ code, message: null, status })),
  },
  {
    name: 'error-message-array',
    breaks: '2/error-message-string',
    summary: 'writes a list of messages',
    change: writes(({ code, message, status }) => ({ code, message: [message], status })),
  },
  {
    name: 'error-message-object-on-400',
    breaks: '2/error-message-string',
    summary: 'writes messages by field on 400',
    change: onlyOn(400, ({ code, message, status }) => ({
      code,
      message: { quantity: message },
      status,
    })),
  },
  {
    name: 'error-message-by-language',
    breaks: '2/error-message-string',
    summary: 'writes a message in each language',
    change: writes(({ code, message, status }) => ({
      code,
      message: { en: message, de: 'Nein.' },
      status,
    })),
  },
  {
    name: 'error-status-string',
    breaks: '2/error-status-integer',
    summary: 'writes the status as a string',
    change: writes(({ code, message, status }) => ({ code, message, status: `${status}` })),
  },
  {
    name: 'error-status-word',
    breaks: '2/error-status-integer',
    summary: 'writes "error" for a status',
    change: writes(({ code, message }) => ({ code, message, status: 'error' })),
  },
  {
    name: 'error-status-fraction',
    breaks: '2/error-status-integer',
    summary: 'writes the status with a subcode behind a point',
    change: writes(({ code, message, status }) => ({ code, message, status: status + 0.1 })),
  },
  {
    name: 'error-status-null',
    breaks: '2/error-status-integer',
    summary: 'writes a status of null',
    change: writes(({ code, message }) => ({ code, message, status: null })),
  },
  {
    name: 'error-status-boolean',
    breaks: '2/error-status-integer',
    summary: 'writes a status of false',
    change: writes(({ code, message }) => ({ code, message, status: false })),
  },
  {
    name: 'error-status-always-400',
    breaks: '7/status-repeats',
    summary: 'writes a status of 400 on every error',
    change: writes(({ code, message }) => ({ code, message, status: 400 })),
  },
  {
    name: 'error-status-always-500',
    breaks: '7/status-repeats',
    summary: 'writes a status of 500 on every error',
    change: writes(({ code, message }) => ({ code, message, status: 500 })),
  },
  {
    name: 'error-status-403-on-401',
    breaks: '7/status-repeats',
    summary: 'writes a status of 403 on 401',
    change: onlyOn(401, ({ code, message }) => ({ code, message, status: 403 })),
  },
  {
    name: 'error-status-zero',
    breaks: '7/status-repeats',
    summary: 'writes a status of 0',
    change: writes(({ code, message }) => ({ code, message, status: 0 })),
  },
];

const shape: readonly BrokenProvider[] = [
  {
    name: 'error-nested',
    breaks: '2/error-fields',
    summary: 'nests the error under error',
    change: writes(({ code, message, status }) => ({ error: { code, message, status } })),
  },
  {
    name: 'error-in-an-array',
    breaks: '7/error-body',
    summary: 'sends an array of one error',
    change: writes(({ code, message, status }) => [{ code, message, status }]),
  },
  {
    name: 'error-as-problem',
    breaks: '2/error-fields',
    summary: 'sends problem details (RFC 9457)',
    change: sends(({ status }) => ({
      headers: { 'Content-Type': 'application/problem+json' },
      body: JSON.stringify({ type: 'about:blank', title: 'Refused', status, detail: 'no' }),
    })),
  },
  {
    name: 'error-declared-as-problem',
    breaks: '7/error-body',
    summary: 'declares sound errors as application/problem+json',
    change: sends(() => ({ headers: { 'Content-Type': 'application/problem+json' } })),
  },
  {
    name: 'error-declared-as-text',
    breaks: '7/error-body',
    summary: 'declares sound errors as text/plain',
    change: sends(() => ({ headers: { 'Content-Type': 'text/plain' } })),
  },
  {
    name: 'error-undeclared',
    breaks: '7/error-body',
    summary: 'sends sound errors without a content type',
    change: sends(() => ({ headers: {} })),
  },
  {
    name: 'error-html',
    breaks: '7/error-body',
    summary: 'sends errors as pages of HTML',
    change: sends(({ status }) => ({
      headers: { 'Content-Type': 'text/html' },
      body: `<!doctype html><title>${status}</title>`,
    })),
  },
  {
    name: 'error-html-declared-as-json',
    breaks: '7/error-body',
    summary: 'sends pages of HTML declared as JSON',
    change: sends(({ status }) => ({
      headers: jsonHeaders,
      body: `<!doctype html><title>${status}</title>`,
    })),
  },
  {
    name: 'error-empty',
    breaks: '7/error-body',
    summary: 'sends errors without a body',
    change: sends(() => ({ body: '' })),
  },
  {
    name: 'error-empty-object',
    breaks: '2/error-fields',
    summary: 'sends errors with an empty object',
    change: writes(() => ({})),
  },
  {
    name: 'error-string',
    breaks: '7/error-body',
    summary: 'sends errors as a bare string',
    change: writes(({ message }) => message),
  },
  {
    name: 'error-truncated',
    breaks: '7/error-body',
    summary: 'loses the last brace of errors',
    change: sends(({ body }) => ({ body: body.slice(0, -1) })),
  },
  {
    name: 'error-twice',
    breaks: '7/error-body',
    summary: 'writes the error body twice',
    change: sends(({ body }) => ({ body: `${body.toString()}${body.toString()}` })),
  },
  {
    name: 'error-with-warning-in-front',
    breaks: '7/error-body',
    summary: 'writes a warning of its runtime in front of the error',
    change: sends(({ body }) => ({ body: `Warning: undefined index\n${body.toString()}` })),
  },
  {
    name: 'error-message-unescaped',
    breaks: '7/error-body',
    summary: 'writes quotes within the message without escaping them',
    change: sends(({ status }) => ({
      body: `{"code":"refused","message":"got "5"","status":${status}}`,
    })),
  },
  {
    name: 'error-in-latin-1',
    breaks: '7/error-body',
    summary: 'writes messages in ISO 8859-1',
    change: sends(({ status }) => ({
      body: Buffer.from(
        `{"code":"refused","message":"ung\u00fcltig","status":${status}}`,
        'latin1',
      ),
    })),
  },
];

export const errorBodyViolations: readonly BrokenProvider[] = [...fields, ...shape];
