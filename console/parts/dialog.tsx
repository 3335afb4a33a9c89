import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

export interface DialogProps {
  readonly title: string;
  /** Left out: it cannot be dismissed. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog, open as long as it is there. The browser keeps the focus inside. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // A browser lets Escape through at the second time, whatever the page says.
        if (onClose === undefined) element.current?.showModal();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        {onClose !== undefined && (
          <Button icon="close" kind="quiet" label="Close" onClick={() => onClose()} />
        )}
      </div>
      {children}
    </dialog>
  );
}

export interface QuestionProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly onAnswer: (isYes: boolean) => void;
}

/** Asks before something is lost. */
export function Question({ title, text, action, onAnswer }: QuestionProps) {
  return (
    <Dialog title={title} onClose={() => onAnswer(false)}>
      <p class="dialog-text">{text}</p>
      <div class="dialog-foot">
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
        <Button kind="danger" onClick={() => onAnswer(true)}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
