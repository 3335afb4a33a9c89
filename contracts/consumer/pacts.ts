import type { Case } from '../case.ts';
import { cases } from '../cases.ts';
import type { ClauseId } from '../clauses.ts';
import { hasItems, isEmpty, type ProviderState } from '../provider-states.ts';
import { expectEmptyList, expectListWith } from './expected-response.ts';
import { pets, placeholderKey, toComments, toInteraction } from './interaction.ts';
import type { PactDocument, PactInteraction, PactResponse } from './pact-document.ts';

/** What a state makes of the list: the case table cannot say it, for it knows no states. */
function lists(
  cause: string,
  title: string,
  clauses: readonly ClauseId[],
  state: ProviderState,
  response: PactResponse,
): PactInteraction {
  const id = `listInventory/200/${cause}`;
  return {
    type: 'Synchronous/HTTP',
    key: id,
    description: `${id}: ${title}`,
    pending: false,
    comments: toComments(id, clauses),
    providerStates: [state],
    request: {
      method: 'GET',
      path: '/v1/inventory',
      headers: { Authorization: [`Bearer ${placeholderKey}`] },
    },
    response,
  };
}

const listInteractions: readonly PactInteraction[] = [
  lists(
    'has-the-items',
    'lists the items of the inventory, each with all its digits',
    ['1/lists-every-pet', '2/pet-id-int64', '4.1/current-levels'],
    hasItems(pets.existing, pets.large),
    expectListWith([pets.existing, pets.large]),
  ),
  lists(
    'empty',
    'lists nothing where there is nothing',
    ['4.1/lists-an-array', '8/one-array'],
    isEmpty,
    expectEmptyList,
  ),
];

/** Whether the spec decides between success and refusal: what one interaction can say. */
function isDecided({ answers }: Case): boolean {
  return answers.length === 1 || answers.every(({ body }) => body === 'error');
}

const decided = cases.filter(isDecided);
const open = cases.filter((subject) => !isDecided(subject));

function toPact(consumer: string, interactions: readonly PactInteraction[]): PactDocument {
  return {
    consumer: { name: consumer },
    provider: { name: 'pet-store-inventory' },
    interactions,
    metadata: { pactSpecification: { version: '4.0' } },
  };
}

/** What the spec says: every provider keeps it. */
export const contractPact: PactDocument = toPact('stockcheck', [
  ...listInteractions,
  ...decided.flatMap((subject) => toInteraction(subject, subject.answers) ?? []),
]);

/**
 * The mock's own answers where the spec leaves a choice between success and refusal: for providers
 * that want to answer as the mock does.
 */
export const defaultsPact: PactDocument = toPact(
  'stockcheck-defaults',
  open.flatMap((subject) => toInteraction(subject, [subject.answers[0]]) ?? []),
);

export const pacts: readonly PactDocument[] = [contractPact, defaultsPact];
