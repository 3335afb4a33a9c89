import type { BrokenProvider } from '../mutant.ts';
import { jsonHeaders, replaceReply } from '../replace-reply.ts';
import type { Change, Operation, Reply } from '../steps.ts';

/** Sends another reply in place of a 200. */
const sends = (change: (reply: Reply) => Partial<Reply>, only?: Operation): Change =>
  replaceReply([200], (reply, { operation }) =>
    only === undefined || only === operation ? { ...reply, ...change(reply) } : reply,
  );

export const representationViolations: readonly BrokenProvider[] = [
  {
    name: 'list-201',
    breaks: '4.1/lists-an-array',
    summary: 'lists with 201',
    change: sends(() => ({ status: 201 }), 'listInventory'),
  },
  {
    name: 'list-206',
    breaks: '4.1/lists-an-array',
    summary: 'lists with 206',
    change: sends(() => ({ status: 206 }), 'listInventory'),
  },
  {
    name: 'update-201',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers 201 to an update',
    change: sends(() => ({ status: 201 }), 'updateInventory'),
  },
  {
    name: 'update-202',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers 202 to an update',
    change: sends(() => ({ status: 202 }), 'updateInventory'),
  },
  {
    name: 'update-204',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers 204 to an update',
    change: sends(() => ({ status: 204, headers: {}, body: '' }), 'updateInventory'),
  },
  {
    name: 'update-empty',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers 200 without a body to an update',
    change: sends(() => ({ body: '' }), 'updateInventory'),
  },
  {
    name: 'list-empty-body',
    breaks: '4.1/lists-an-array',
    summary: 'answers 200 without a body to a list',
    change: sends(() => ({ body: '' }), 'listInventory'),
  },
  {
    name: 'list-html',
    breaks: '4/json-bodies',
    summary: 'declares the list as text/html',
    change: sends(() => ({ headers: { 'Content-Type': 'text/html' } }), 'listInventory'),
  },
  {
    name: 'update-text',
    breaks: '4/json-bodies',
    summary: 'declares the echo as text/plain',
    change: sends(() => ({ headers: { 'Content-Type': 'text/plain' } }), 'updateInventory'),
  },
  {
    name: 'success-undeclared',
    breaks: '4/json-bodies',
    summary: 'sends 200 without a content type',
    change: sends(() => ({ headers: {} })),
  },
  {
    name: 'success-text-json',
    breaks: '4/json-bodies',
    summary: 'declares bodies as text/json',
    change: sends(() => ({ headers: { 'Content-Type': 'text/json' } })),
  },
  {
    name: 'list-json-api',
    breaks: '4/json-bodies',
    summary: 'declares the list as application/vnd.api+json',
    change: sends(
      () => ({ headers: { 'Content-Type': 'application/vnd.api+json' } }),
      'listInventory',
    ),
  },
  {
    name: 'success-xml',
    breaks: '4/json-bodies',
    summary: 'answers with XML',
    change: sends(() => ({
      headers: { 'Content-Type': 'application/xml' },
      body: '<inventory/>',
    })),
  },
  {
    name: 'list-trailing-comma',
    breaks: '4/json-bodies',
    summary: 'writes a comma behind the last entry',
    change: sends(({ body }) => ({ body: body.toString().replace(/\]$/, ',]') }), 'listInventory'),
  },
  {
    name: 'list-truncated',
    breaks: '4/json-bodies',
    summary: 'cuts the list after 512 bytes',
    change: sends(({ body }) => ({ body: body.slice(0, 512) }), 'listInventory'),
  },
  {
    name: 'list-without-last-bracket',
    breaks: '4/json-bodies',
    summary: 'loses the last bracket of the list',
    change: sends(({ body }) => ({ body: body.slice(0, -1) }), 'listInventory'),
  },
  {
    name: 'update-single-quotes',
    breaks: '4/json-bodies',
    summary: 'writes the echo as its language prints it',
    change: sends(
      ({ body }) => ({ body: body.toString().replaceAll('"', "'") }),
      'updateInventory',
    ),
  },
  {
    name: 'update-nan',
    breaks: '4/json-bodies',
    summary: 'writes NaN for a quantity of 0',
    change: sends(({ body }) => ({ body: body.toString().replace(':0,', ':NaN,') })),
  },
  {
    name: 'list-with-guard-prefix',
    breaks: '4/json-bodies',
    summary: 'writes a guard against script inclusion in front of the list',
    change: sends(({ body }) => ({ body: `)]}',\n${body.toString()}` }), 'listInventory'),
  },
  {
    name: 'list-as-callback',
    breaks: '4/json-bodies',
    summary: 'writes the list as a call of JavaScript',
    change: sends(({ body }) => ({ body: `callback(${body.toString()})` }), 'listInventory'),
  },
  {
    name: 'success-in-utf-16',
    breaks: '4/json-bodies',
    summary: 'writes bodies in UTF-16',
    change: sends(({ body }) => ({ body: Buffer.from(body.toString(), 'utf16le') })),
  },
  {
    name: 'success-in-base64',
    breaks: '4/json-bodies',
    summary: 'writes bodies in base64',
    change: sends(({ body }) => ({ body: Buffer.from(body).toString('base64') })),
  },
  {
    name: 'success-with-fault-in-body',
    breaks: '4.1/lists-an-array',
    summary: 'answers 200 with an error body to every list',
    change: sends(
      () => ({ headers: jsonHeaders, body: '{"code":"down","message":"try later","status":503}' }),
      'listInventory',
    ),
  },
  {
    name: 'without-version-prefix',
    breaks: '9/version-prefix',
    summary: 'serves its operations without /v1',
    leavesNothingToJudge: true,
    change: (base) => ({ route: (method, path) => base.route(method, `/v1${path}`) }),
  },
  {
    name: 'other-version-prefix',
    breaks: '9/version-prefix',
    summary: 'serves its operations below /v2',
    leavesNothingToJudge: true,
    change: (base) => ({
      route: (method, path) =>
        base.route(method, path.startsWith('/v2/') ? path.replace('/v2/', '/v1/') : '/'),
    }),
  },
  {
    name: 'update-without-version-prefix',
    breaks: '9/version-prefix',
    summary: 'serves updates without /v1, and the list with it',
    change: (base) => ({
      route: (method, path) => base.route(method, method === 'PATCH' ? `/v1${path}` : path),
    }),
  },
  {
    name: 'update-by-put-only',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers 405 to PATCH, and wants PUT',
    change: replaceReply([200, 400, 404], (reply, { method }) =>
      method === 'PATCH'
        ? {
            status: 405,
            headers: { ...jsonHeaders, Allow: 'PUT' },
            body: '{"code":"method","message":"use PUT","status":405}',
          }
        : reply,
    ),
  },
];
