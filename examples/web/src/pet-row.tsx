import { useState, type CSSProperties, type KeyboardEvent } from 'react';
import { statusNames } from './status-names.ts';
import type { Row } from './use-inventory.ts';

export interface PetRowProps {
  readonly row: Row;
  readonly onQuantity: (petId: bigint, quantity: bigint) => void;
}

const wholeNumber = /^\d+$/;

/** Longer ones do not fit into the field: a limit of this page, not of the store. */
const mostDigits = 18;

/** What is wrong with a quantity as typed; `undefined` where nothing is. */
function findProblem(typed: string): string | undefined {
  if (!wholeNumber.test(typed)) return 'Enter a whole number from 0 up';
  return typed.length > mostDigits ? `Too large: at most ${mostDigits} digits` : undefined;
}

/** One pet, with a quantity that can be typed or stepped. */
export function PetRow({ row, onQuantity }: PetRowProps) {
  const { petId, quantity, status, isSaving } = row;
  /** What is being typed; `undefined` while nobody types. */
  const [draft, setDraft] = useState<string>();
  const problem = draft === undefined ? undefined : findProblem(draft);
  const isWrong = problem !== undefined;
  const problemId = `problem-${petId}`;

  function commit(): void {
    if (isWrong) return;
    if (draft !== undefined && BigInt(draft) !== quantity) onQuantity(petId, BigInt(draft));
    setDraft(undefined);
  }

  function onKeyDown({ key }: KeyboardEvent): void {
    if (key === 'Enter') commit();
    if (key === 'Escape') setDraft(undefined);
  }

  return (
    <tr data-saving={isSaving}>
      <th scope="row">
        <span
          className="avatar"
          style={{ '--hue': hueOf(petId) } as CSSProperties}
          aria-hidden="true"
        />
        <span className="pet">Pet {String(petId)}</span>
      </th>
      <td>
        <span className="status" data-status={status}>
          {statusNames[status]}
        </span>
      </td>
      <td className="right">
        <div className="stepper" data-wrong={isWrong}>
          <button
            type="button"
            aria-label={`One less of pet ${petId}`}
            disabled={quantity <= 0n}
            onClick={() => onQuantity(petId, quantity - 1n)}
          >
            −
          </button>
          <input
            inputMode="numeric"
            aria-label={`Quantity of pet ${petId}`}
            aria-invalid={isWrong}
            aria-describedby={isWrong ? problemId : undefined}
            value={draft ?? String(quantity)}
            onChange={({ target }) => setDraft(target.value.trim())}
            onBlur={commit}
            onKeyDown={onKeyDown}
          />
          <button
            type="button"
            aria-label={`One more of pet ${petId}`}
            onClick={() => onQuantity(petId, quantity + 1n)}
          >
            +
          </button>
        </div>
        <p className="hint" id={problemId} aria-live="polite">
          {problem ?? (isSaving ? 'Saving…' : '')}
        </p>
      </td>
    </tr>
  );
}

/** The same colour for the same pet. */
function hueOf(petId: bigint): number {
  return Number((BigInt.asUintN(64, petId) * 137n) % 360n);
}
