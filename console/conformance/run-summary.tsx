import { useApp } from '../app-context.ts';
import { formatCount, formatSpan } from '../format.ts';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import type { ResultView, Verdict } from '../wire.ts';
import type { RunState } from './verification-run.ts';

const verdicts: readonly (readonly [verdict: Verdict, name: string])[] = [
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['inconclusive', 'inconclusive'],
  ['advice', 'advice'],
];

const sentences: Readonly<Record<Verdict, string>> = {
  pass: 'It conforms.',
  advice: 'It conforms, with something worth knowing.',
  inconclusive: 'It could not be judged as a whole.',
  fail: 'It breaks the contract.',
};

/** How far the run is, and what it found. */
export function RunSummary({ results }: { readonly results: readonly ResultView[] }) {
  const { verification } = useApp();
  const state = verification.state.value;
  if (state.kind === 'idle') return undefined;
  const subjects = state.kind === 'running' ? state.subjects : results.length;
  return (
    <section class="run-summary" aria-label="Summary">
      <div class="run-words" role="status">
        <Headline state={state} />
      </div>
      <dl class="tallies">
        {verdicts.map(([verdict, name]) => (
          <div key={verdict} class={`tally verdict-${verdict}`}>
            <dt>
              <VerdictMark verdict={verdict} /> {name}
            </dt>
            <dd>{results.filter((result) => result.verdict === verdict).length}</dd>
          </div>
        ))}
      </dl>
      {state.kind === 'running' && (
        <progress
          aria-label="Cases judged"
          max={Math.max(subjects, 1)}
          value={Math.min(results.length, subjects)}
        />
      )}
    </section>
  );
}

function Headline({ state }: { readonly state: RunState }) {
  switch (state.kind) {
    case 'idle':
      return undefined;
    case 'running':
      return (
        <>
          <h2>Running…</h2>
          <p>{state.target}</p>
        </>
      );
    case 'stopped':
      return (
        <>
          <h2>Stopped before its end</h2>
          <p>{state.target}</p>
        </>
      );
    case 'failed':
      return (
        <>
          <h2 class="is-error">The run failed</h2>
          <p>{state.reason}.</p>
        </>
      );
    case 'ended': {
      const { verdict, reason, requests, durationMs, isPartial } = state.report;
      return (
        <>
          <h2 class={`headline-${verdict}`}>{sentences[verdict]}</h2>
          <p>
            {reason !== undefined && <>{reason} · </>}
            {formatCount(requests, 'request')} ·{' '}
            {durationMs < 1000 ? `${Math.round(durationMs)} ms` : formatSpan(durationMs)}
            {isPartial && ' · only a part was judged'} · {state.target}
          </p>
        </>
      );
    }
  }
}
