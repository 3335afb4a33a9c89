import { useReducer } from 'preact/hooks';
import { useApp } from '../app-context.ts';
import { Skeleton } from '../parts/state-message.tsx';
import type { Session } from '../sandboxes/session.ts';
import type { DecisionView } from '../wire.ts';
import { AnswerField } from './answer-field.tsx';
import { isSpecial, takeBackNames, toAnswerText } from './answers.ts';

/** Every question that the specification leaves open, and how this sandbox answers it. */
export function PolicyView({ session }: { readonly session: Session }) {
  const { api, contract, notices } = useApp();
  const [, redraw] = useReducer((round: number) => round + 1, 0);
  const settings = session.view.value;
  const decisions = contract.value?.decisions;
  if (decisions === undefined || settings === undefined) return <Skeleton lines={8} />;
  const set = async (id: string, given: unknown): Promise<void> => {
    const isCodes = id === 'error-codes';
    const answer = isCodes ? takeBackNames(settings.policy[id], given) : given;
    const isDone = await notices.attempt(
      async () => {
        await session.showView(() => api.changeSandbox(session.id, { policy: { [id]: answer } }));
      },
      `${id} is changed.`,
      `${id} is not changed`,
    );
    // The browser has moved the choice already.
    if (!isDone) redraw(undefined);
  };
  return (
    <section class="view page-view" aria-labelledby="policy-title">
      <h2 id="policy-title">Where the specification is silent</h2>
      <p class="lead">
        Each answer that has a name is legal. A change counts from the next request on, in this
        sandbox only.
      </p>
      <div class="decisions">
        {decisions.map((decision) => (
          <Decision
            key={decision.id}
            decision={decision}
            answer={settings.policy[decision.id]}
            onAnswer={(answer) => void set(decision.id, answer)}
          />
        ))}
      </div>
    </section>
  );
}

function Decision(props: {
  readonly decision: DecisionView;
  readonly answer: unknown;
  readonly onAnswer: (answer: unknown) => void;
}) {
  const { decision, answer, onAnswer } = props;
  const { id, question, choices } = decision;
  const isChanged = isSpecial(id)
    ? !['', '1048576'].includes(toAnswerText(id, answer))
    : answer !== undefined && answer !== decision.default;
  return (
    <fieldset class={isChanged ? 'decision is-changed' : 'decision'}>
      <legend>
        <span class="decision-question">{question}</span>
        <code>{id}</code>
        {isChanged && <span class="tag">not the default</span>}
      </legend>
      {isSpecial(id) ? (
        <AnswerField id={id} answer={answer} onSave={onAnswer} />
      ) : (
        <div class="choices">
          {choices.map(({ name, meaning }) => (
            <label key={name} class="choice">
              <input
                type="radio"
                name={id}
                value={name}
                checked={(answer ?? decision.default) === name}
                disabled={choices.length === 1}
                onChange={() => onAnswer(name)}
              />
              <span class="choice-text">
                <code>{name}</code>
                {meaning !== undefined && <span>{meaning}</span>}
              </span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}
