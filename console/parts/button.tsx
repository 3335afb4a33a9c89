import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

export interface ButtonProps {
  readonly icon?: IconName;
  readonly kind?: 'primary' | 'quiet' | 'danger';
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
  /** Where the icon says it all to the eye. */
  readonly label?: string;
  /** Whether only the icon is seen where the page is narrow. */
  readonly isCompact?: boolean;
  readonly pressed?: boolean;
  readonly children?: ComponentChildren;
  readonly onClick?: (event: MouseEvent) => void;
}

export function Button(props: ButtonProps) {
  const { icon, kind, type = 'button', disabled = false, label, pressed, children } = props;
  const isCompact = props.isCompact ?? false;
  return (
    <button
      type={type}
      class={toClass(kind, children === undefined && 'icon-only', isCompact && 'is-compact')}
      disabled={disabled}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={props.onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      {isCompact ? <span class="button-text">{children}</span> : children}
    </button>
  );
}

function toClass(...names: readonly (string | false | undefined)[]): string {
  return ['button', ...names.filter(Boolean)].join(' ');
}

/** Copies a text, and says so on itself. */
export function CopyButton(props: {
  readonly text: string;
  readonly children: string;
  readonly kind?: 'primary' | 'quiet';
  readonly isCompact?: boolean;
  /** The id of the text that says why there is nothing right to copy. Left out: there is. */
  readonly obstacleId?: string | undefined;
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async (): Promise<void> => {
    const isDone = await copyText(props.text);
    setState(isDone ? 'copied' : 'failed');
    setTimeout(() => setState('idle'), 2000);
  };
  const words = { idle: props.children, copied: 'Copied', failed: 'Not copied' }[state];
  return (
    <button
      type="button"
      class={toClass(props.kind, props.isCompact && 'is-compact')}
      // Still to be reached by keyboard, so that the reason is read out.
      aria-disabled={props.obstacleId !== undefined}
      aria-describedby={props.obstacleId}
      onClick={() => {
        if (props.obstacleId === undefined) void copy();
      }}
    >
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span class="button-text" aria-live="polite">
        {words}
      </span>
    </button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No clipboard without HTTPS, other than on loopback: the old way still works.
    const area = document.createElement('textarea');
    area.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const isDone = document.execCommand('copy');
    area.remove();
    return isDone;
  }
}
