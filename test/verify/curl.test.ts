import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { toCaseRequest, type Case } from '../../contracts/case.ts';
import { cases } from '../../contracts/cases.ts';
import { toCurl } from '../../src/verify/curl.ts';
import { HttpClient } from '../../src/verify/http-client.ts';
import { toTemplate } from '../../src/verify/judge-exchange.ts';
import { sendJson, startProvider, type Received } from './provider.ts';

const apiKey = `k"e$y'-\\x\`7%`;
const petId = 9_007_199_254_740_993n;
const execute = promisify(execFile);

/** What a server is told, without what only says who asks. */
function toMessage({ method, path, headers, body }: Received): object {
  const {
    accept: _accept,
    'accept-encoding': _encoding,
    'user-agent': _agent,
    connection: _connection,
    ...telling
  } = headers;
  return { method, path, headers: telling, body: body.toString('latin1') };
}

// One of each kind of line, and every line whose bytes are hard to write.
const hard = (subject: Case): boolean =>
  subject.id.startsWith('listInventory/401/') ||
  /no-body|empty-body|white-space|utf-8|quotes|comment|truncated|form|xml|content-type|space|json-in/.test(
    subject.id,
  );

test('writes lines that send the bytes which the verifier sent', async () => {
  const provider = await startProvider({
    intercept: (_, response) => sendJson(response, 200, '[]'),
  });
  const baseUrl = new URL(provider.url);
  const client = new HttpClient({
    baseUrl,
    timeoutMs: 5000,
    maximumBodyBytes: 1000,
    concurrency: 1,
  });
  for (const subject of cases.filter(hard)) {
    const request = toCaseRequest(subject, { apiKey, petId });
    if (request === undefined) throw new Error(`${subject.id} cannot be sent`);
    await client.send(request);
    const line = toCurl(baseUrl, toTemplate({ subject, petId }));
    await execute('sh', ['-c', line], { env: { ...process.env, API_KEY: apiKey } });
    const [sent, repeated] = provider.received.slice(-2).map(toMessage);
    expect(repeated, line).toEqual(sent);
  }
  client.close();
}, 30_000);

test('never writes the key', () => {
  for (const subject of cases) {
    const line = toCurl(new URL('http://127.0.0.1/v1'), toTemplate({ subject, petId }));
    expect(line).not.toContain(apiKey);
    expect(line).not.toContain('{apiKey');
  }
});
