import type { PetStatus } from '../wire.ts';

/** A full, a half and an empty disc: told apart without their colours. */
export function StatusGlyph({ status }: { readonly status: PetStatus }) {
  return (
    <svg class={`glyph status-${status}`} viewBox="0 0 12 12" aria-hidden="true">
      <circle cx="6" cy="6" r="4.5" />
      {status === 'pending' && <path d="M6 1.5a4.5 4.5 0 0 0 0 9z" />}
    </svg>
  );
}

export function StatusBadge({ status }: { readonly status: PetStatus }) {
  return (
    <span class={`status status-${status}`}>
      <StatusGlyph status={status} />
      {status}
    </span>
  );
}
