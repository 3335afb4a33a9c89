import { useLayoutEffect, useId, useRef, useState } from 'preact/hooks';
import type { AdminItem } from '../../src/admin/admin-api.ts';
import type { EndEditing, SaveItem } from './editing.ts';

/** A quantity being typed: Enter saves, Escape cancels, and what is wrong is said. */
export function QuantityEditor(props: {
  readonly item: AdminItem;
  readonly text: string | undefined;
  readonly onSave: SaveItem;
  readonly onDone: EndEditing;
}) {
  const { item, onSave } = props;
  const [text, setText] = useState(props.text ?? item.quantity.toString());
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const isBusy = useRef(false);
  /** An input that is taken away loses the focus: that is no reason to save. */
  const isOver = useRef(false);
  const id = useId();
  useLayoutEffect(() => {
    input.current?.focus();
    if (props.text === undefined) input.current?.select();
  }, []);

  const onDone = (isFocusKept: boolean): void => {
    isOver.current = true;
    props.onDone(isFocusKept);
  };
  const save = async (isFocusKept: boolean): Promise<void> => {
    if (isBusy.current) return;
    const quantity = parseQuantity(text);
    if (quantity === undefined) {
      setProblem('A whole number is needed, such as 12 or -3.');
      return;
    }
    if (quantity === item.quantity) {
      onDone(isFocusKept);
      return;
    }
    isBusy.current = true;
    const refused = await onSave({ quantity });
    isBusy.current = false;
    if (refused === undefined) onDone(isFocusKept);
    else setProblem(refused);
  };

  return (
    <>
      <input
        ref={input}
        class="cell-input"
        aria-label={`Quantity of pet ${item.petId}`}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : id}
        inputMode="numeric"
        autocomplete="off"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setProblem(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void save(true);
          else if (event.key === 'Escape') onDone(true);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
        onBlur={() => {
          // What is left in the middle is kept where it is right, and dropped where it is not.
          if (isBusy.current || isOver.current) return;
          if (parseQuantity(text) === undefined || problem !== undefined) onDone(false);
          else void save(false);
        }}
      />
      {problem !== undefined && (
        <span class="cell-problem" id={id} role="alert">
          {problem}
        </span>
      )}
    </>
  );
}

/** Digits may be grouped with commas, as they are shown. */
function parseQuantity(text: string): bigint | undefined {
  const plain = text.trim().replaceAll(/,(?=\d{3})/g, '');
  return /^-?\d{1,4096}$/.test(plain) ? BigInt(plain) : undefined;
}
