import { blameChanges } from '../blame.ts';
import type { Check } from '../check.ts';
import { isLarge, roundToDouble } from '../pets.ts';
import { unknownPetCase } from '../plain-cases.ts';
import type { Finding } from '../report.ts';

const candidateLimit = 56;

/**
 * Ids near those that are listed are not pets. Where one is, the list is not whole (cut off, or
 * filtered), or a petId is read wrongly (rounded, wrapped, cut, hashed).
 */
export const unlistedPets: Check = {
  id: 'check/unlisted-pets',
  title: 'knows no pet that it does not list',
  operation: 'updateInventory',
  status: 404,
  clauses: ['1/lists-every-pet', '7/404-not-found', '4.2/pet-id-is-int64', '8/one-array'],
  async run({ session, pets, hasNamedPets }) {
    if (hasNamedPets) {
      return {
        kind: 'unsent',
        reason: 'the pets to work on were named, so no others are tried',
        wished: true,
      };
    }
    if (!session.hasList) {
      return { kind: 'unsent', reason: 'the list could not be read', wished: false };
    }
    const candidates = findCandidates([...session.inventory.keys()], pets.writable.slice(0, 4));
    const findings: Finding[] = [];
    // A pet that is found so is written to, and what it had is not known: begin with one, and stop
    // at the first.
    for (let start = 0, size = 1; start < candidates.length; start += size, size *= 2) {
      const sent = await Promise.all(
        candidates.slice(start, start + size).map((petId) => session.send(unknownPetCase, petId)),
      );
      const unsent = sent.find((one) => one.kind === 'unsent');
      for (const one of sent) {
        if (one.kind !== 'sent') continue;
        findings.push(...one.findings.map((finding) => explain(finding, one.petId)));
      }
      if (unsent?.kind === 'unsent' && findings.length === 0) return unsent;
      if (findings.length > 0) break;
    }
    const { changes } = await session.inspect();
    findings.push(
      ...blameChanges(changes ?? [], {
        named: [],
        clause: '7/404-not-found',
        deed: 'pets that are not listed were updated',
      }),
    );
    return { kind: 'judged', findings };
  },
};

function explain(finding: Finding, petId: bigint | undefined): Finding {
  if (finding.at !== 'status' || finding.received !== '200') return finding;
  return {
    ...finding,
    clause: '1/lists-every-pet',
    message: `pet ${petId} is not listed, and yet its update was answered with 200; either the list is not whole, or another pet was taken for it (if it is a pet, its quantity is 5 now, and what it was is not known)`,
  };
}

/** What a wrong reading of these ids, or a list that is cut, would make of ids. */
function findCandidates(listed: readonly bigint[], around: readonly bigint[]): readonly bigint[] {
  const present = new Set(listed);
  const sorted = listed.toSorted((a, b) => (a < b ? -1 : 1)).filter((petId) => !isLarge(petId));
  const near = around.flatMap((petId) => [
    petId + 1n,
    petId - 1n,
    petId + 2n ** 32n,
    petId + 2n ** 16n,
    -petId,
    petId * 10n,
    petId * 10n + 1n,
    petId / 10n,
    petId + 100n,
    petId + 1000n,
    roundToDouble(petId),
  ]);
  const candidates = [...behindTheLast(sorted), ...gapsOf(sorted), ...near].filter(
    (petId) => !present.has(petId) && BigInt.asIntN(64, petId) === petId,
  );
  return [...new Set(candidates)].slice(0, candidateLimit);
}

function behindTheLast(sorted: readonly bigint[]): readonly bigint[] {
  const [first, second] = sorted;
  const last = sorted.at(-1);
  const beforeLast = sorted.at(-2);
  if (first === undefined || last === undefined) return [];
  if (second === undefined || beforeLast === undefined) return [last + 1n, first - 1n];
  return [last + 1n, last + (last - beforeLast), first - 1n, first - (second - first)];
}

const gapLimit = 16;

/** Ids between listed ones, where only one or a few are missing. */
function gapsOf(sorted: readonly bigint[]): readonly bigint[] {
  const gaps: { readonly width: bigint; readonly petId: bigint }[] = [];
  sorted.forEach((petId, index) => {
    const next = sorted[index + 1];
    if (next === undefined || next - petId < 2n) return;
    gaps.push({ width: next - petId, petId: petId + (next - petId) / 2n });
    gaps.push({ width: next - petId, petId: petId + 1n });
  });
  return gaps
    .toSorted((a, b) => (a.width < b.width ? -1 : 1))
    .slice(0, gapLimit)
    .map(({ petId }) => petId);
}
