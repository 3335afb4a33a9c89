import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toCaseRequest, type Case, type CaseFacts, type CasePet } from '../contracts/case.ts';
import { cases } from '../contracts/cases.ts';
import { judgeResponse } from '../contracts/judge.ts';
import { hasItems, hasNoPet, type ProviderState } from '../contracts/provider-states.ts';
import { formatVerification, verifyPact } from '../contracts/provider/verify-pact.ts';
import { run } from '../src/cli/run.ts';
import { createInventoryClient, type InventoryItem } from '../src/client/inventory-client.ts';
import { stringifyExactJson } from '../src/json/exact-json.ts';
import {
  exampleProviders,
  startExampleProvider,
  type RunningProvider,
} from './example-provider.ts';
import { sendOverHttp } from './transports/http.ts';

const apiKey = 'kEy-0f-the-example';

const petIds: { readonly [Pet in Exclude<CasePet, 'none'>]: bigint } = {
  existing: 12n,
  absent: 424_242n,
  large: 9_007_199_254_740_995n,
  'beside-large': 9_007_199_254_740_996n,
};

const toFacts = ({ given }: Case): CaseFacts =>
  given.pet === 'none' ? { apiKey } : { apiKey, petId: petIds[given.pet] };

function toStates({ given }: Case): readonly ProviderState[] {
  const quantity = given.quantity ?? 3n;
  const existing = hasItems({ petId: petIds.existing, quantity, status: 'available' });
  const large = hasItems({ petId: petIds.large, quantity, status: 'available' });
  switch (given.pet) {
    case 'existing':
    case 'none':
      return [existing];
    case 'large':
      return [large];
    case 'absent':
      return [existing, hasNoPet(petIds.absent)];
    case 'beside-large':
      return [large, hasNoPet(petIds['beside-large'])];
  }
}

async function setState({ stateUrl }: RunningProvider, state: ProviderState): Promise<void> {
  const { name, ...params } = state;
  const response = await fetch(stateUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: stringifyExactJson({ state: name, ...params, action: 'setup' }),
  });
  expect(response.status, await response.text()).toBe(200);
}

async function list({ url }: RunningProvider): Promise<readonly InventoryItem[]> {
  const result = await createInventoryClient({ baseUrl: url, apiKey }).list();
  if (result.kind !== 'ok') throw new Error(`cannot list: ${result.kind}`);
  return result.items;
}

describe.for(exampleProviders)('the provider on $name', { timeout: 60_000 }, (example) => {
  let provider: RunningProvider;
  beforeAll(async () => {
    provider = await startExampleProvider(example, apiKey);
  }, 600_000);
  afterAll(() => provider.stop());

  test('begins with a pet whose id a double would round', async () => {
    const items = await list(provider);
    expect(items.map(({ petId }) => petId)).toContain(9_007_199_254_740_993n);
  });

  test.for(cases)('$id: $title', async (subject) => {
    for (const state of toStates(subject)) await setState(provider, state);
    const before = await list(provider);
    const listed = new Set(before.map(({ petId }) => petId));
    const facts = { ...toFacts(subject), listed };
    const request = toCaseRequest(subject, facts);
    if (request === undefined) throw new Error(`${subject.id} cannot be sent`);

    for (let time = 0; time < (subject.times ?? 1); time += 1) {
      const received = await sendOverHttp(provider.url, request);
      const { answer, violations } = judgeResponse(subject, received, facts.petId);
      expect(violations, received.body.toString()).toEqual([]);
      const expected = before.map((item): InventoryItem =>
        answer?.body === 'item' && item.petId === facts.petId
          ? { petId: item.petId, quantity: answer.quantity, status: item.status }
          : item,
      );
      expect(await list(provider)).toEqual(expected);
    }
  });

  test('refuses a provider state that it does not know', async () => {
    const response = await fetch(provider.stateUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"state":"it rains","params":{},"action":"setup"}',
    });
    expect(response.status).toBe(404);
  });

  test.for([[], ['--state-url']])('conforms, says `stockcheck verify` %j', async (options) => {
    let output = '';
    const code = await run(
      ['verify', provider.url, ...options.flatMap((option) => [option, provider.stateUrl])],
      {
        stdout: { write: (text) => (output += text) },
        stderr: { write: (text) => (output += text) },
        env: { STOCKCHECK_API_KEY: apiKey },
        signal: new AbortController().signal,
      },
    );
    expect(code, output).toBe(0);
  });

  test('keeps the pact', async () => {
    const { url: providerUrl, stateUrl } = provider;
    const verification = await verifyPact({ providerUrl, apiKey, stateUrl });
    expect(verification.verdict, formatVerification(verification)).toBe('pass');
  });
});
