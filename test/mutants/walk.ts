import { toCaseRequest, type Case } from '../../contracts/case.ts';
import { cases } from '../../contracts/cases.ts';
import { judgeResponse } from '../../contracts/judge.ts';
import { readList, type Listed } from './probe.ts';
import type { Provider } from './provider.ts';
import type { RawClient } from './raw-client.ts';

/** What was found wrong, or `undefined`. */
export type Finding = string | undefined;

const refusals: readonly Case[] = [
  'updateInventory/400/quantity-string',
  'updateInventory/401/missing',
  'updateInventory/404/unknown-pet',
  'updateInventory/401/wrong-key',
  'updateInventory/400/malformed-comma',
  'updateInventory/401/key-prefix',
].map(findCase);

const quantities = [0n, 60n, 3_000n, 5n, 65_537n, 1n] as const;

function findCase(id: string): Case {
  const found = cases.find((subject) => subject.id === id);
  if (found === undefined) throw new RangeError(`there is no case ${id}`);
  return found;
}

/** An update as a case of its own. */
function toUpdate(quantity: bigint): Case {
  const update = findCase('updateInventory/200/sets-quantity');
  return {
    ...update,
    request: { ...update.request, body: `{"quantity":${quantity}}` },
    answers: [{ status: 200, body: 'item', quantity }],
  };
}

async function ask(
  provider: Provider,
  client: RawClient,
  subject: Case,
  petId: bigint,
): Promise<Finding> {
  const request = toCaseRequest(subject, { apiKey: provider.apiKey, petId });
  if (request === undefined) return undefined;
  const received = await client.send(request);
  if (!received.ok) return received.problem;
  const [violation] = judgeResponse(subject, received, petId).violations;
  return violation && `${subject.id} at ${violation.at}: ${violation.received}`;
}

/** Quantities must be those that were set; the status may follow them. */
function compare(expected: ReadonlyMap<bigint, bigint>, listed: Listed | string): Finding {
  if (typeof listed === 'string') return listed;
  if (listed.size !== expected.size) return `${listed.size} entries are listed`;
  for (const [petId, quantity] of expected) {
    const now = listed.get(petId)?.quantity;
    if (now !== quantity) return `pet ${petId} has ${now}, not ${quantity}`;
  }
  return undefined;
}

const toQuantities = (listed: Listed): Map<bigint, bigint> =>
  new Map([...listed].map(([petId, { quantity }]) => [petId, quantity]));

/**
 * Walks through updates, refused requests and lists, one after another and always the same way,
 * beside a model of the inventory.
 */
export async function walk(provider: Provider, client: RawClient, steps = 90): Promise<Finding> {
  const listed = await readList(provider, client);
  if (typeof listed === 'string') return listed;
  const model = toQuantities(listed);
  const all = [...model.keys()];
  // The first ones and the last ones: all statuses, and ids of all sizes.
  const petIds = [...new Set([...all.slice(0, 4), ...all.slice(-2)])];
  const history = new Map<bigint, readonly bigint[]>();
  for (let step = 0; step < steps; step += 1) {
    // Two updates of each pet in a row, and now and then back to the quantity before the last.
    const petId = petIds[(step >> 1) % petIds.length] ?? 0n;
    const past = history.get(petId) ?? [];
    const returned = past.length % 4 === 3 ? past.at(-2) : undefined;
    const quantity = returned ?? quantities[(step * step + (step >> 2)) % quantities.length] ?? 0n;
    history.set(petId, [...past, quantity]);
    const problem = await ask(provider, client, toUpdate(quantity), petId);
    if (problem !== undefined) return `update ${step}: ${problem}`;
    model.set(petId, quantity);
    const refusal = step % 4 === 3 ? refusals[(step >> 2) % refusals.length] : undefined;
    const found =
      compare(model, await readList(provider, client)) ??
      (refusal &&
        (await ask(
          provider,
          client,
          refusal,
          refusal.given.pet === 'absent' ? 7_654_321n : petId,
        ))) ??
      (refusal && compare(model, await readList(provider, client)));
    if (found !== undefined) return `step ${step}: ${found}`;
  }
  return undefined;
}

/** Updates several pets at the same time, with refused requests and lists in between. */
export async function crowd(provider: Provider, client: RawClient, rounds = 4): Promise<Finding> {
  const listed = await readList(provider, client);
  if (typeof listed === 'string') return listed;
  const model = toQuantities(listed);
  const petIds = [...model.keys()].slice(0, 8);
  const wrongKey = findCase('updateInventory/401/wrong-key');
  for (let round = 0; round < rounds; round += 1) {
    const asked = petIds.flatMap((petId, index) => {
      const quantity = BigInt(round * 100 + index);
      model.set(petId, quantity);
      return [
        ask(provider, client, toUpdate(quantity), petId),
        ask(provider, client, wrongKey, petId),
        readList(provider, client).then((list) =>
          typeof list === 'string' || list.size === model.size
            ? toProblem(list)
            : `${list.size} entries are listed`,
        ),
      ];
    });
    const found =
      (await Promise.all(asked)).find((problem) => problem !== undefined) ??
      compare(model, await readList(provider, client));
    if (found !== undefined) return `round ${round}: ${found}`;
  }
  return undefined;
}

const toProblem = (list: Listed | string): Finding => (typeof list === 'string' ? list : undefined);

/** Updates a pet, and looks at the list when a moment has passed. */
export async function lookAgain(provider: Provider, client: RawClient): Promise<Finding> {
  const listed = await readList(provider, client);
  if (typeof listed === 'string') return listed;
  const model = toQuantities(listed);
  const [petId] = model.keys();
  if (petId === undefined) return 'no pet is listed';
  const problem = await ask(provider, client, toUpdate(77n), petId);
  if (problem !== undefined) return problem;
  model.set(petId, 77n);
  await new Promise((resolve) => {
    setTimeout(resolve, 600);
  });
  return compare(model, await readList(provider, client));
}

/** Updates the pets beside those that are listed: each must be unknown. */
export async function askNeighbours(provider: Provider, client: RawClient): Promise<Finding> {
  const listed = await readList(provider, client);
  if (typeof listed === 'string') return listed;
  const unknownPet = findCase('updateInventory/404/unknown-pet');
  for (const petId of listed.keys()) {
    const neighbour = petId + 1n;
    if (listed.has(neighbour)) continue;
    const problem = await ask(provider, client, unknownPet, neighbour);
    if (problem !== undefined) return `pet ${neighbour}: ${problem}`;
  }
  return undefined;
}
