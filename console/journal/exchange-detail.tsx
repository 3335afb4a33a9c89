import { useId } from 'preact/hooks';
import type { BodyView, JournalEntry } from '../../src/admin/admin-api.ts';
import { useApp } from '../app-context.ts';
import { formatBytes, formatClock, formatInteger, formatMoment, longestCount } from '../format.ts';
import { CopyButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { toMark, verdictNames, VerdictMark } from '../parts/verdict-mark.tsx';
import { toHash } from '../route.ts';
import { findCurlObstacle, toCurl } from './curl.ts';
import { formatDuration, StatusCode } from './journal-list.tsx';

/** One exchange in full: what was asked and answered, and what the contract says of it. */
export function ExchangeDetail({
  entry,
  id,
}: {
  readonly entry: JournalEntry;
  readonly id: string;
}) {
  const { request, response } = entry;
  const obstacle = findCurlObstacle(entry);
  const obstacleId = useId();
  return (
    <article class="exchange-detail" aria-labelledby="exchange-title">
      <header>
        <a
          class="button quiet icon-only"
          href={toHash({ page: 'sandbox', id, view: 'journal' })}
          aria-label="Back to the list"
        >
          <Icon name="close" />
        </a>
        <h2 id="exchange-title">
          <StatusCode status={response.status} /> {request.method} <code>{request.path}</code>
        </h2>
        <CopyButton
          isCompact
          text={toCurl(location.origin, entry)}
          obstacleId={obstacle === undefined ? undefined : obstacleId}
        >
          Copy as curl
        </CopyButton>
      </header>
      {obstacle !== undefined && (
        <p class="hint" id={obstacleId}>
          There is no curl line for this request. {obstacle}
        </p>
      )}
      <p class="facts">
        <span>{toPlace(entry)}</span>
        <span>{entry.operation ?? 'no operation'}</span>
        <span>{formatMoment(entry.at)}</span>
        <span>{formatDuration(entry.duration)}</span>
      </p>
      {entry.fault !== undefined && <Outcome entry={entry} />}
      <VerdictNote entry={entry} />
      {entry.fault === undefined && <Outcome entry={entry} />}
      <Message title="Request" headers={request.headers} body={request.body} />
      <Message title="Response" headers={response.headers} body={response.body} />
    </article>
  );
}

/** What tells an exchange from others: its number, or the very moment where it has no short one. */
function toPlace({ sequence, at }: JournalEntry): string {
  return sequence > longestCount ? `at ${formatClock(at)}` : `no. ${formatInteger(sequence)}`;
}

function VerdictNote({ entry }: { readonly entry: JournalEntry }) {
  const { contract } = useApp();
  const { verdict, clauses, findings } = entry.verdict;
  const isOnPurpose = verdict === 'fail' && entry.fault !== undefined;
  const sentences = new Map(contract.value?.clauses.map(({ id, sentence }) => [id, sentence]));
  return (
    <section class={`verdict-note is-${verdict} ${isOnPurpose ? 'is-on-purpose' : ''}`}>
      <h3>
        <VerdictMark verdict={toMark(verdict)} />
        {toTitle(verdictNames[verdict])}
        {isOnPurpose && ', on purpose'}
      </h3>
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map((finding) => (
            <li key={finding}>{finding}</li>
          ))}
        </ul>
      )}
      {clauses.length > 0 && (
        <details class="more" open={verdict === 'fail' && !isOnPurpose}>
          <summary>{toClauseCount(verdict, clauses.length)}</summary>
          <ul class="clauses">
            {clauses.map((id) => (
              <li key={id}>
                <span>{sentences.get(id) ?? id}</span> <code>{id}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function toClauseCount(verdict: JournalEntry['verdict']['verdict'], count: number): string {
  const clauses = count === 1 ? 'clause' : 'clauses';
  switch (verdict) {
    case 'pass':
      return `It satisfies ${count} ${clauses}`;
    case 'fail':
      return `${count} ${clauses} it is judged by`;
    case 'inconclusive':
      return `${count} ${clauses} it is about`;
  }
}

function Outcome({ entry }: { readonly entry: JournalEntry }) {
  const { refusal, change, fault } = entry;
  if (refusal === undefined && change === undefined && fault === undefined) return undefined;
  return (
    <dl class="outcome">
      {fault !== undefined && (
        <>
          <dt>Hit by a fault</dt>
          <dd>
            <span class="fault-flag">
              <Icon name="bolt" />
              {fault.kind}
            </span>{' '}
            <code>{fault.id}</code>
          </dd>
        </>
      )}
      {refusal !== undefined && (
        <>
          <dt>Refused because</dt>
          <dd>{refusal}</dd>
        </>
      )}
      {change !== undefined && (
        <>
          <dt>Changed</dt>
          <dd>
            pet {change.petId.toString()}: <s>{formatInteger(change.before.quantity)}</s> →{' '}
            <b>{formatInteger(change.after.quantity)}</b>
            {change.before.status !== change.after.status && (
              <>
                , <StatusBadge status={change.before.status} /> →{' '}
                <StatusBadge status={change.after.status} />
              </>
            )}
          </dd>
        </>
      )}
    </dl>
  );
}

function Message(props: {
  readonly title: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: BodyView;
}) {
  const { title, headers, body } = props;
  return (
    <section class="message">
      <h3>
        {title} <span class="count">{formatBytes(body.length)}</span>
      </h3>
      {headers.length > 0 && (
        <dl class="headers">
          {headers.map(([name, value], place) => (
            // Names may come twice.
            <div key={place}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {body.length === 0 ? (
        <p class="hint">No body.</p>
      ) : (
        <JsonView text={body.text} label={`Body of the ${title.toLowerCase()}`} />
      )}
      {body.isCut && <p class="hint">The journal keeps the beginning of a body only.</p>}
    </section>
  );
}

function toTitle(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
