import { VerdictMark } from '../parts/verdict-mark.tsx';
import type { CaseView, ResultView, Verdict } from '../wire.ts';

/** Where the results of an operation and a status stand. */
export interface Cell {
  readonly operation: string;
  readonly status: number;
}

const operations = [
  { id: 'listInventory', route: 'GET /inventory' },
  { id: 'updateInventory', route: 'PATCH /inventory/{petId}' },
] as const;

export interface MatrixProps {
  readonly cases: readonly CaseView[];
  readonly results: readonly ResultView[];
  readonly isRunning: boolean;
  readonly selected: Cell | undefined;
  readonly onSelect: (cell: Cell | undefined) => void;
}

/** Operations by statuses; every case is a mark that fills in when it is judged. */
export function Matrix({ cases, results, isRunning, selected, onSelect }: MatrixProps) {
  const statuses = [...new Set([...cases, ...results].map(({ status }) => status))].toSorted(
    (one, other) => one - other,
  );
  if (statuses.length === 0) return undefined;
  return (
    <div class="matrix-scroller" role="region" aria-label="Matrix" tabIndex={0}>
      <table class={isRunning ? 'matrix is-running' : 'matrix'}>
        <caption class="hidden">Cases by operation and expected status</caption>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            {statuses.map((status) => (
              <th scope="col" key={status}>
                {status}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {operations.map(({ id, route }) => (
            <tr key={id}>
              <th scope="row">
                <code>{route}</code>
                <span class="hint">{id}</span>
              </th>
              {statuses.map((status) => {
                const isHere = (it: Cell): boolean => it.operation === id && it.status === status;
                return (
                  <td key={status}>
                    <MatrixCell
                      title={`${id} ${status}`}
                      cases={cases.filter(isHere)}
                      results={results.filter(isHere)}
                      isSelected={selected !== undefined && isHere(selected)}
                      onSelect={(isSelected) =>
                        onSelect(isSelected ? { operation: id, status } : undefined)
                      }
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What the marks mean. */
export function Legend() {
  return (
    <ul class="legend">
      {legend.map(([mark, text]) => (
        <li key={text}>
          <span class={`mark ${mark}`} /> {text}
        </li>
      ))}
    </ul>
  );
}

const legend = [
  ['is-pass', 'passed'],
  ['is-fail', 'failed'],
  ['is-inconclusive', 'inconclusive'],
  ['is-advice', 'advice'],
  ['', 'not judged'],
] as const;

function MatrixCell(props: {
  readonly title: string;
  readonly cases: readonly CaseView[];
  readonly results: readonly ResultView[];
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean) => void;
}) {
  const { title, cases, results, isSelected, onSelect } = props;
  const judged = new Map(results.map((result) => [result.id, result]));
  const known = new Set(cases.map(({ id }) => id));
  // Checks beyond single cases come in the end.
  const marks = [...cases, ...results.filter(({ id }) => !known.has(id))];
  if (marks.length === 0) return <span class="no-cases">–</span>;
  const count = (verdict: Verdict): number =>
    results.filter((result) => result.verdict === verdict).length;
  const texts = [
    `${count('pass')} passed`,
    ...(['fail', 'inconclusive', 'advice'] as const)
      .filter((verdict) => count(verdict) > 0)
      .map((verdict) => `${count(verdict)} ${verdict === 'fail' ? 'failed' : verdict}`),
  ];
  return (
    <button
      type="button"
      class={`cell ${count('fail') > 0 ? 'has-failures' : ''}`}
      aria-pressed={isSelected}
      onClick={() => onSelect(!isSelected)}
    >
      <span class="hidden">
        {title}: {results.length} of {marks.length} judged, {texts.join(', ')}
      </span>
      <span class="cell-count" aria-hidden="true">
        <b>{results.length === 0 ? marks.length : count('pass')}</b>
        {results.length === 0 ? ' cases' : ` of ${marks.length}`}
        {(['fail', 'inconclusive', 'advice'] as const).map(
          (verdict) =>
            count(verdict) > 0 && (
              <span key={verdict} class={`cell-tally verdict-${verdict}`}>
                <VerdictMark verdict={verdict} /> {count(verdict)}
              </span>
            ),
        )}
      </span>
      <span class="marks" aria-hidden="true">
        {marks.map(({ id, title: name }) => {
          const verdict = judged.get(id)?.verdict;
          return (
            <span
              key={id}
              class={`mark ${verdict === undefined ? '' : `is-${verdict}`}`}
              title={`${name}${verdict === undefined ? '' : `: ${verdict}`}`}
            />
          );
        })}
      </span>
    </button>
  );
}
