import { useState } from 'preact/hooks';
import { useApp } from '../app-context.ts';
import { StateMessage } from '../parts/state-message.tsx';
import { Legend, Matrix, type Cell } from './matrix.tsx';
import { ResultList } from './result-list.tsx';
import { RunForm } from './run-form.tsx';
import { RunSummary } from './run-summary.tsx';

/** The case table, run against this mock or a real implementation. */
export function ConformanceView() {
  const { verification, contract } = useApp();
  const [cell, setCell] = useState<Cell>();
  void verification.version.value;
  const state = verification.state.value;
  const results = verification.results();
  return (
    <div class="conformance">
      <header class="page-head">
        <h1>Conformance</h1>
        <p class="lead">
          Every case of the contract, sent byte by byte. Quantities that it changes are restored.
        </p>
        <RunForm />
      </header>
      <RunSummary results={results} />
      <div>
        <Matrix
          cases={contract.value?.cases ?? []}
          results={results}
          isRunning={state.kind === 'running'}
          selected={cell}
          onSelect={setCell}
        />
        <Legend />
      </div>
      {state.kind === 'idle' ? (
        <StateMessage icon="play" title="Nothing was run yet">
          <p>Start a run: the matrix fills in as cases are judged.</p>
        </StateMessage>
      ) : (
        <ResultList
          results={results}
          state={state}
          cell={cell}
          onClear={() => setCell(undefined)}
        />
      )}
    </div>
  );
}
