import { useEffect, useReducer, useState } from 'preact/hooks';
import type { FaultView, SandboxView } from '../../src/admin/admin-api.ts';
import { useApp } from '../app-context.ts';
import { formatInteger } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Skeleton, StateMessage } from '../parts/state-message.tsx';
import { usePaced } from '../parts/use-paced.ts';
import type { Session } from '../sandboxes/session.ts';
import { describeFault, describeMatch } from './fault-kinds.ts';
import { FaultForm } from './fault-form.tsx';
import { PreferHints } from './prefer-hints.tsx';

/** Everything that makes a sandbox misbehave: scenarios, rules, and headers for one request. */
export function FaultsView({ session }: { readonly session: Session }) {
  const settings = session.view.value;
  const faults = useFaults(session);
  if (settings === undefined) return <Skeleton lines={6} />;
  return (
    <div class="view page-view columns">
      <div class="column">
        <Scenarios session={session} settings={settings} />
        <section aria-labelledby="rules-title">
          <h2 id="rules-title">
            Rules that are on <span class="count">{faults.length}</span>
          </h2>
          {faults.length === 0 ? (
            <StateMessage icon="bolt" title="Nothing is broken on purpose">
              <p>Switch a scenario on, or add a rule.</p>
            </StateMessage>
          ) : (
            <FaultTable session={session} faults={faults} />
          )}
        </section>
        <PreferHints />
      </div>
      <FaultForm session={session} />
    </div>
  );
}

/** How often the counters are read while requests come in, in milliseconds. */
const pace = 500;

/** The rules with their counters, read again while there is traffic. */
function useFaults(session: Session): readonly FaultView[] {
  const { api } = useApp();
  const settings = session.view.value;
  const [faults, setFaults] = useState<readonly FaultView[]>(settings?.faults ?? []);
  const news = session.faultNews.value;
  useEffect(() => {
    if (settings !== undefined) setFaults(settings.faults);
  }, [settings]);
  usePaced(news, pace, async () => {
    if (faults.length === 0) return;
    try {
      setFaults(await api.listFaults(session.id));
    } catch {
      // The next exchange asks again.
    }
  });
  return faults;
}

function Scenarios(props: { readonly session: Session; readonly settings: SandboxView }) {
  const { api, notices } = useApp();
  const { session, settings } = props;
  const [, redraw] = useReducer((round: number) => round + 1, 0);
  const choose = async (scenario: string | null): Promise<void> => {
    const isDone = await notices.attempt(
      async () => {
        await session.showView(() => api.changeSandbox(session.id, { scenario }));
      },
      scenario === null ? 'No scenario is on.' : `The scenario “${scenario}” is on.`,
      'The scenario is not changed',
    );
    // The browser has moved the choice already.
    if (!isDone) redraw(undefined);
  };
  const option = (scenario: string | null, text: string) => (
    <label class="choice is-switch" key={text}>
      <input
        type="radio"
        name="scenario"
        checked={(settings.scenario ?? null) === scenario}
        onChange={() => void choose(scenario)}
      />
      <span class="choice-text">{text}</span>
    </label>
  );
  return (
    <fieldset class="scenarios">
      <legend>Scenario</legend>
      {settings.scenarios.length === 0 ? (
        <p class="hint">
          The fixture of this sandbox has none. A fixture names them under <code>scenarios</code>.
        </p>
      ) : (
        <div class="choices is-row">
          {option(null, 'None')}
          {settings.scenarios.map((scenario) => option(scenario, scenario))}
        </div>
      )}
    </fieldset>
  );
}

function FaultTable(props: { readonly session: Session; readonly faults: readonly FaultView[] }) {
  const { api, notices } = useApp();
  const { session, faults } = props;
  const remove = async ({ id, rule }: FaultView): Promise<void> => {
    await notices.attempt(
      async () => {
        await api.removeFault(session.id, id);
        await session.showView(() => api.getSandbox(session.id));
      },
      `The rule that ${describeFault(rule)} is removed.`,
      'The rule is not removed',
    );
  };
  return (
    <table class="table faults">
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">From</th>
          <th scope="col" class="is-number">
            Seen
          </th>
          <th scope="col" class="is-number">
            Hits
          </th>
          <th scope="col">
            <span class="hidden">Remove</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {faults.map((fault) => (
          <tr key={fault.id}>
            <td>
              <span class="fault-what">
                <Icon name="bolt" />
                {describeFault(fault.rule)}
              </span>
              <span class="hint">{describeMatch(fault.rule)}</span>
            </td>
            <td>{fault.scenario ?? 'added'}</td>
            <td class="is-number">{formatInteger(fault.seen)}</td>
            <td class="is-number">{formatInteger(fault.hits)}</td>
            <td class="is-action">
              {fault.scenario === undefined && (
                <Button
                  icon="trash"
                  kind="quiet"
                  label={`Remove the rule that ${describeFault(fault.rule)}`}
                  onClick={() => void remove(fault)}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
