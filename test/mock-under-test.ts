import { builtinFixtures } from '../fixtures/builtin.ts';
import type { Case, CaseFacts, CasePet } from '../contracts/case.ts';
import type { InventoryItem } from '../src/inventory/item.ts';
import { parseFixture } from '../src/mock/fixture.ts';
import { createMock, type Mock } from '../src/mock/mock.ts';
import type { PolicyChanges } from '../src/mock/policy.ts';
import { MemoryStore } from '../src/stores/memory.ts';

export const apiKey = 'demo-key';

/** The items of the default fixture. */
export function defaultItems(): readonly InventoryItem[] {
  const parsed = parseFixture(builtinFixtures.default);
  if (!parsed.ok) throw new Error('the default fixture is refused');
  return parsed.fixture.inventory;
}

/** A mock over the default fixture; a bug in it fails the test. */
export function createMockUnderTest(policy: PolicyChanges = {}): Mock {
  return createMock({
    store: new MemoryStore(defaultItems()),
    apiKeys: [apiKey],
    policy,
    onBug: (error) => {
      throw error;
    },
  });
}

/** Pets of the default fixture, or missing from it, for each precondition. */
const petIds: { readonly [Pet in Exclude<CasePet, 'none'>]: bigint } = {
  existing: 5n,
  absent: 424_242n,
  large: 9_007_199_254_740_993n,
  'beside-large': 9_007_199_254_740_992n,
};

/** What a case needs to know to be sent to a mock over the default fixture. */
export function toFacts({ given }: Case): CaseFacts {
  return given.pet === 'none' ? { apiKey } : { apiKey, petId: petIds[given.pet] };
}
