import { useApp } from '../app-context.ts';
import { Field, Select, TextInput } from '../parts/field.tsx';
import { answerHints, isSpecial, readAnswer, type SpecialDecision } from './answers.ts';
import { useRef, useState } from 'preact/hooks';

type Policy = Readonly<Record<string, unknown>>;

/** The answers that a new sandbox shall give, where they differ from its fixture's. */
export function PolicyDraft(props: {
  readonly policy: Policy;
  readonly onChange: (policy: Policy) => void;
  /** @param problem what cannot be read, or `undefined` where all can */
  readonly onProblem: (problem: string | undefined) => void;
}) {
  const { contract } = useApp();
  const problems = useRef(new Map<SpecialDecision, string>()).current;
  const note = (id: SpecialDecision, problem: string | undefined): void => {
    if (problem === undefined) problems.delete(id);
    else problems.set(id, problem);
    const [first] = problems;
    props.onProblem(first === undefined ? undefined : `${first[0]}: ${first[1]}`);
  };
  const set = (id: string, answer: unknown): void => {
    const { [id]: _former, ...others } = props.policy;
    props.onChange(answer === undefined ? others : { ...others, [id]: answer });
  };
  return (
    <div class="policy-draft">
      {contract.value?.decisions
        .filter(({ id, choices }) => isSpecial(id) || choices.length > 1)
        .map(({ id, question, choices }) =>
          isSpecial(id) ? (
            <DraftField key={id} id={id} question={question} onChange={set} onProblem={note} />
          ) : (
            <Field key={id} label={question}>
              <Select
                value={typeof props.policy[id] === 'string' ? props.policy[id] : ''}
                options={[
                  ['', 'As the fixture says'],
                  ...choices.map(({ name }) => [name, name] as const),
                ]}
                onChange={(answer) => set(id, answer === '' ? undefined : answer)}
              />
            </Field>
          ),
        )}
    </div>
  );
}

function DraftField(props: {
  readonly id: SpecialDecision;
  readonly question: string;
  readonly onChange: (id: string, answer: unknown) => void;
  readonly onProblem: (id: SpecialDecision, problem: string | undefined) => void;
}) {
  const [text, setText] = useState('');
  const read = text === '' ? undefined : readAnswer(props.id, text);
  return (
    <Field
      label={props.question}
      hint={answerHints[props.id]}
      problem={read?.ok === false ? read.problem : undefined}
    >
      <TextInput
        value={text}
        onInput={(next) => {
          setText(next);
          const answer = next === '' ? undefined : readAnswer(props.id, next);
          props.onChange(props.id, answer?.ok === true ? answer.answer : undefined);
          props.onProblem(props.id, answer?.ok === false ? answer.problem : undefined);
        }}
      />
    </Field>
  );
}
