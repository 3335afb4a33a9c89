import { TextInput } from './field.tsx';
import { Icon } from './icon.tsx';

/** A field to find something by, with a magnifying glass. */
export function SearchInput(props: {
  readonly value: string;
  readonly label: string;
  readonly placeholder: string;
  readonly inputMode?: 'numeric';
  readonly isShort?: boolean;
  readonly onInput: (value: string) => void;
}) {
  const { isShort = false, ...input } = props;
  return (
    <div class={isShort ? 'search is-short' : 'search'}>
      <Icon name="search" />
      <TextInput type="search" {...input} />
    </div>
  );
}
