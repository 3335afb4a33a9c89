import { useEffect, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { TextInput } from '../parts/field.tsx';
import {
  answerHints,
  answerPlaceholders,
  readAnswer,
  toAnswerText,
  type Answer,
  type SpecialDecision,
} from './answers.ts';

/** The answer to a decision that is no choice of names, as a text to edit. */
export function AnswerField(props: {
  readonly id: SpecialDecision;
  readonly answer: Answer;
  readonly onSave: (answer: Answer) => void;
}) {
  const saved = toAnswerText(props.id, props.answer);
  const [text, setText] = useState(saved);
  const [problem, setProblem] = useState<string>();
  useEffect(() => setText(saved), [saved]);
  return (
    <form
      class="answer-field"
      onSubmit={(event) => {
        event.preventDefault();
        const read = readAnswer(props.id, text);
        setProblem(read.ok ? undefined : read.problem);
        if (read.ok) props.onSave(read.answer);
      }}
    >
      <TextInput
        label={`Answer to ${props.id}`}
        placeholder={answerPlaceholders[props.id]}
        value={text}
        onInput={setText}
      />
      <Button type="submit" disabled={text === saved}>
        Save
      </Button>
      <span class="field-hint">{answerHints[props.id]}</span>
      {problem !== undefined && (
        <span class="field-problem" role="alert">
          {problem}
        </span>
      )}
    </form>
  );
}
