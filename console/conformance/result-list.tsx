import { useApp } from '../app-context.ts';
import { Button, CopyButton } from '../parts/button.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import type { FindingView, ReportView, ResultView, Verdict } from '../wire.ts';
import type { Cell } from './matrix.tsx';
import type { RunState } from './verification-run.ts';

const gravity: readonly Verdict[] = ['fail', 'inconclusive', 'advice', 'pass'];

/** What was found, the worst first; all cases of one cell where one is chosen. */
export function ResultList(props: {
  readonly results: readonly ResultView[];
  readonly state: RunState;
  readonly cell: Cell | undefined;
  readonly onClear: () => void;
}) {
  const { results, state, cell, onClear } = props;
  const report = state.kind === 'ended' ? state.report : undefined;
  const shown = results
    .filter((result) =>
      cell === undefined
        ? result.verdict !== 'pass'
        : result.operation === cell.operation && result.status === cell.status,
    )
    .toSorted((one, other) => gravity.indexOf(one.verdict) - gravity.indexOf(other.verdict));
  return (
    <>
      <section class="results" aria-labelledby="results-title">
        <h2 id="results-title">
          {cell === undefined ? 'Findings' : `${cell.operation} ${cell.status}`}{' '}
          <span class="count">{shown.length}</span>
          {cell !== undefined && (
            <Button kind="quiet" icon="close" onClick={onClear}>
              Show findings of all
            </Button>
          )}
        </h2>
        {shown.length === 0 && (
          <p class="hint">{toSilence(state, results.length, cell !== undefined)}</p>
        )}
        {shown.map((result, place) => (
          <Result key={result.id} result={result} isOpen={result.verdict === 'fail' && place < 3} />
        ))}
      </section>
      {report !== undefined && cell === undefined && <Choices report={report} />}
    </>
  );
}

/** Why there is nothing to show. */
function toSilence({ kind }: RunState, judged: number, isCell: boolean): string {
  const isRunning = kind === 'running';
  if (isCell) return isRunning ? 'No case here is judged yet.' : 'No case here was judged.';
  if (isRunning) return 'Nothing to report so far.';
  if (judged === 0) return 'No case was judged.';
  return kind === 'ended' ? 'Every case that was judged passed.' : 'What was judged passed.';
}

function Result({ result, isOpen }: { readonly result: ResultView; readonly isOpen: boolean }) {
  const { contract } = useApp();
  const { verdict, title, id, findings, clauses } = result;
  const sentences = contract.value?.clauses.filter((clause) => clauses.includes(clause.id)) ?? [];
  return (
    <details class={`result is-${verdict}`} open={isOpen}>
      <summary>
        <VerdictMark verdict={verdict} />
        <span class="hidden">{verdict}</span>
        <span class="result-title">{title}</span>
        <code>{id}</code>
      </summary>
      <div class="result-body">
        {findings.map((finding, place) => (
          <Finding key={place} finding={finding} />
        ))}
        {sentences.length > 0 && (
          <ul class="clauses">
            {sentences.map((clause) => (
              <li key={clause.id}>
                {clause.sentence} <code>{clause.id}</code>
              </li>
            ))}
          </ul>
        )}
      </div>
    </details>
  );
}

function Finding({ finding }: { readonly finding: FindingView }) {
  const { message, at, expected, received, evidence, steps } = finding;
  const lines = [
    ['at', at],
    ['expected', expected],
    ['received', received],
  ] as const;
  return (
    <div class="finding">
      <p>{message}</p>
      <dl class="finding-facts">
        {lines.map(
          ([name, text]) =>
            text !== undefined && (
              <div key={name} class={`is-${name}`}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ),
        )}
      </dl>
      {evidence !== undefined && (
        <>
          <pre class="code is-small" tabIndex={0} role="region" aria-label="Answer">
            {`${evidence.received}\n${evidence.headers.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${evidence.body}`}
          </pre>
          <CopyButton text={(steps ?? [evidence.curl]).join('\n')}>
            {steps === undefined ? 'Copy as curl' : `Copy ${steps.length} curl lines`}
          </CopyButton>
        </>
      )}
    </div>
  );
}

/** How it answers what the specification leaves open, and what was not judged. */
function Choices({ report }: { readonly report: ReportView }) {
  const { choices, leftOut, footprint } = report;
  return (
    <>
      {choices.length > 0 && (
        <section class="results" aria-labelledby="choices-title">
          <h2 id="choices-title">Where the specification is silent, it answers</h2>
          <dl class="observed">
            {choices.map(({ decision, question, choices: answers }) => (
              <div key={decision}>
                <dt>{question}</dt>
                <dd>{answers.join(' or ')}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {leftOut.length > 0 && (
        <details class="result">
          <summary>
            <span class="result-title">Left out of this run</span>
            <span class="count">{leftOut.length}</span>
          </summary>
          <ul class="clauses result-body">
            {leftOut.map(({ id, reason }) => (
              <li key={id}>
                {reason} <code>{id}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      <p class="hint">
        {footprint.writes} writes, {footprint.restored} quantities restored.
      </p>
    </>
  );
}
