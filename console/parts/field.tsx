import { createContext, type ComponentChildren, type TargetedInputEvent } from 'preact';
import { useContext, useId } from 'preact/hooks';

export interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
  readonly children: ComponentChildren;
}

interface FieldAttributes {
  readonly id?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
}

/** What the control of a field has to say: who it is, what is said below it, whether it is wrong. */
const FieldContext = createContext<FieldAttributes>({});

/** A control with its label, a hint, and what is wrong with what was given. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const notes = `${id}-notes`;
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <FieldContext.Provider
        value={{
          id,
          'aria-describedby': notes,
          ...(problem === undefined ? {} : { 'aria-invalid': true }),
        }}
      >
        {children}
      </FieldContext.Provider>
      <span class="field-notes" id={notes}>
        {hint !== undefined && <span class="field-hint">{hint}</span>}
        {problem !== undefined && (
          <span class="field-problem" role="alert">
            {problem}
          </span>
        )}
      </span>
    </div>
  );
}

/** Takes a file. */
export function FileInput(props: {
  readonly accept: string;
  readonly onFile: (file: File | undefined) => void;
}) {
  return (
    <input
      class="input"
      type="file"
      required
      accept={props.accept}
      {...useContext(FieldContext)}
      onChange={(event) => props.onFile(event.currentTarget.files?.[0])}
    />
  );
}

export interface SelectProps<Value extends string> {
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly label?: string;
  readonly onChange: (value: Value) => void;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, options, label, onChange } = props;
  return (
    <select
      class="input"
      value={value}
      aria-label={label}
      {...useContext(FieldContext)}
      onChange={(event) => {
        const [chosen] = options[event.currentTarget.selectedIndex] ?? [];
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A text field that tells of every letter. */
export function TextInput(props: {
  readonly value: string;
  readonly label?: string;
  readonly type?: 'text' | 'search' | 'password' | 'url';
  readonly placeholder?: string;
  readonly inputMode?: 'numeric' | 'decimal';
  readonly required?: boolean;
  readonly autoFocus?: boolean;
  readonly maxLength?: number;
  readonly onInput: (value: string) => void;
}) {
  const shared = {
    ...useContext(FieldContext),
    class: 'input',
    value: props.value,
    'aria-label': props.label,
    placeholder: props.placeholder,
    inputMode: props.inputMode,
    required: props.required,
    maxLength: props.maxLength,
    autofocus: props.autoFocus,
    autocomplete: 'off',
    spellcheck: false,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) =>
      props.onInput(event.currentTarget.value),
  } as const;
  // The types of Preact want to know which attributes go with which type.
  switch (props.type) {
    case 'search':
      return <input {...shared} type="search" />;
    case 'password':
      return <input {...shared} type="password" />;
    case 'url':
      return <input {...shared} type="url" />;
    default:
      return <input {...shared} type="text" />;
  }
}
