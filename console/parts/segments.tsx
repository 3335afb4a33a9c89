import type { ComponentChildren } from 'preact';

export interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly content: ComponentChildren }[];
  readonly onChange: (value: Value) => void;
  readonly name: string;
}

/** One of a few: radio buttons that stand side by side. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, value, options, onChange, name } = props;
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} class="segment">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.content}</span>
        </label>
      ))}
    </div>
  );
}
