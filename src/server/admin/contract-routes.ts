import { cases } from '../../../contracts/cases.ts';
import { clauses } from '../../../contracts/clauses.ts';
import { decisions } from '../../../contracts/decisions.ts';
import type { Sandboxes } from '../../mock/sandboxes.ts';
import { json } from './admin-answer.ts';
import type { AdminRoute } from './admin-route.ts';
import { adminOpenApi } from './openapi.ts';

/** What there is to read: the contract, the fixtures, the document of the API itself. */
export function contractRoutes(sandboxes: Sandboxes): readonly AdminRoute[] {
  return [
    {
      operationId: 'getContract',
      method: 'GET',
      path: '/contract',
      handle: () => json({ clauses, decisions: toDecisionViews(), cases: toCaseViews() }),
    },
    {
      operationId: 'listFixtures',
      method: 'GET',
      path: '/fixtures',
      handle: () => json({ fixtures: sandboxes.fixtures }),
    },
    {
      operationId: 'getOpenApi',
      method: 'GET',
      path: '/openapi.json',
      handle: () => json(adminOpenApi),
    },
  ];
}

function toDecisionViews(): readonly object[] {
  return decisions.map(({ id, question, choices, accepted }) => ({
    id,
    question,
    default: choices[0]?.name,
    choices,
    accepted,
  }));
}

function toCaseViews(): readonly object[] {
  return cases.map(({ id, title, operation, clauses: about, answers }) => ({
    id,
    title,
    operation,
    status: answers[0].status,
    clauses: about,
  }));
}
