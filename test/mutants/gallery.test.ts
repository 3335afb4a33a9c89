import { expect, test } from 'vitest';
import { violations } from './gallery.ts';
import { probe, type Failure } from './probe.ts';
import { startProvider, type Mutation } from './provider.ts';

async function findFailure(
  mutation: Mutation,
  ...filter: Parameters<typeof probe>[1][]
): Promise<Failure | undefined> {
  const provider = await startProvider(mutation);
  try {
    const [isMeant] = filter;
    for await (const failure of probe(provider, isMeant)) return failure;
    return undefined;
  } finally {
    await provider.close();
  }
}

test('the base provider keeps every case', async () => {
  expect(await findFailure({})).toBeUndefined();
});

test.for(violations.filter(({ needs }) => needs === undefined))(
  '$name fails a case of the clause it breaks',
  async (violation) => {
    const failure = await findFailure(violation, ({ clauses }) =>
      clauses.includes(violation.breaks),
    );
    expect(failure).toBeDefined();
  },
);
