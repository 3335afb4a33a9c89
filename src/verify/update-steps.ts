import { toCurl } from './curl.ts';
import { toTemplate } from './judge-exchange.ts';
import { listCase } from './plain-cases.ts';
import type { Change } from './report.ts';
import type { Sent, Session } from './session.ts';

const stepLimit = 6;

/**
 * Writes the updates behind some changes, and the list that showed them, as lines for a shell.
 *
 * @param atOnce whether the updates were sent side by side
 */
export function toUpdateSteps(
  { options: { telling } }: Session,
  sent: readonly Sent[],
  changes: readonly Change[],
  atOnce = false,
): readonly string[] {
  const changed = new Set(changes.map(({ petId }) => petId));
  const behind = sent.filter((one) => one.kind === 'sent' && changed.has(one.petId ?? 0n));
  const chosen = (behind.length > 0 ? behind : sent).slice(0, stepLimit);
  const updates = chosen.flatMap((one) =>
    one.kind === 'sent' ? [toCurl(telling.baseUrl, toTemplate(one))] : [],
  );
  const list = toCurl(telling.baseUrl, toTemplate({ subject: listCase, petId: undefined }));
  return atOnce ? [...updates.map((line) => `${line} &`), 'wait', list] : [...updates, list];
}
