import type { Sandbox } from '../../mock/sandbox.ts';
import type { Sandboxes } from '../../mock/sandboxes.ts';
import { createProviderStates, type ProviderStates } from '../provider-states.ts';
import { AdminRefusal, json } from './admin-answer.ts';
import type { AdminRoute } from './admin-route.ts';
import { smallBody } from './body-limits.ts';

/** `/states`: where Pact's verifiers set provider states. */
export function stateRoutes(sandboxes: Sandboxes): readonly AdminRoute[] {
  // What was before a state is kept no longer than its sandbox.
  const known = new WeakMap<Sandbox, ProviderStates>();
  return [
    {
      operationId: 'changeProviderState',
      method: 'POST',
      path: '/states',
      query: ['sandbox'],
      body: { limit: smallBody },
      async handle({ body, query }) {
        const sandbox = await sandboxes.get(query.get('sandbox') ?? 'default');
        const states = known.get(sandbox) ?? createProviderStates(sandbox);
        known.set(sandbox, states);
        const outcome = await states.change(body ?? null);
        if (outcome.kind === 'done') return json({});
        throw new AdminRefusal(400, 'invalid_request', outcome.message);
      },
    },
  ];
}
