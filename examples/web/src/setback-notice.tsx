import type { Setback } from './use-inventory.ts';

export interface SetbackNoticeProps {
  readonly setback: Setback;
  readonly onRetry: () => void;
  readonly onDismiss: () => void;
}

/** Says what went wrong with an update, and what holds now. */
export function SetbackNotice({ setback, onRetry, onDismiss }: SetbackNoticeProps) {
  const { petId, wanted, quantity, problem } = setback;
  return (
    <aside className="notice" role="alert">
      <div>
        <strong>
          Pet {String(petId)} was not changed to {String(wanted)}
        </strong>
        <p>
          {problem.text} Its quantity is {String(quantity)} again.
        </p>
      </div>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
      <button type="button" className="quiet" aria-label="Dismiss" onClick={onDismiss}>
        ✕
      </button>
    </aside>
  );
}
