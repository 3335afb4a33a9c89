import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

export interface StateMessageProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly isError?: boolean;
  /** Whether nothing else is on the page. */
  readonly isPage?: boolean;
}

/** What stands where there is nothing to show: why, and what to do. */
export function StateMessage(props: StateMessageProps) {
  const { icon, title, children, isError = false, isPage = false } = props;
  const Title = isPage ? 'h1' : 'p';
  return (
    <div class="state-message" role={isError ? 'alert' : undefined}>
      <span class={isError ? 'state-icon is-error' : 'state-icon'}>
        <Icon name={icon} />
      </span>
      <Title class="state-title">{title}</Title>
      {children}
    </div>
  );
}

/** Grey lines in the place of what is still being read. */
export function Skeleton({ lines }: { readonly lines: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
