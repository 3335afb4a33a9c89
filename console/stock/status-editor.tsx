import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AdminItem } from '../../src/admin/admin-api.ts';
import { StatusGlyph } from '../parts/status-badge.tsx';
import { petStatuses, type PetStatus } from '../wire.ts';
import type { EndEditing, SaveItem } from './editing.ts';

/** A status being chosen: arrow keys move, Enter or a click saves, Escape cancels. */
export function StatusEditor(props: {
  readonly item: AdminItem;
  readonly onSave: SaveItem;
  readonly onDone: EndEditing;
}) {
  const { item, onSave } = props;
  const group = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<PetStatus>(item.status);
  const [problem, setProblem] = useState<string>();
  useLayoutEffect(() => {
    group.current?.querySelector<HTMLElement>('[aria-checked=true]')?.focus();
  }, [chosen]);

  /** Buttons that are taken away lose the focus: the cell shall keep it all the same. */
  const isOver = useRef(false);
  const onDone = (isFocusKept: boolean): void => {
    if (isOver.current) return;
    isOver.current = true;
    props.onDone(isFocusKept);
  };
  const save = async (status: PetStatus): Promise<void> => {
    const refused = status === item.status ? undefined : await onSave({ status });
    if (refused === undefined) onDone(true);
    else setProblem(refused);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const next = (petStatuses.indexOf(chosen) + step + petStatuses.length) % petStatuses.length;
      setChosen(petStatuses[next] ?? chosen);
    } else if (event.key === 'Enter' || event.key === ' ') void save(chosen);
    else if (event.key === 'Escape') onDone(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      ref={group}
      class="status-editor"
      role="radiogroup"
      aria-label={`Status of pet ${item.petId}`}
      onKeyDown={onKeyDown}
      onFocusOut={(event) => {
        const next = event.relatedTarget;
        if (!(next instanceof Node) || !event.currentTarget.contains(next)) onDone(false);
      }}
    >
      {petStatuses.map((status) => (
        <button
          key={status}
          type="button"
          role="radio"
          class={`status status-${status}`}
          aria-checked={status === chosen}
          tabIndex={status === chosen ? 0 : -1}
          onClick={(event) => {
            event.stopPropagation();
            void save(status);
          }}
        >
          <StatusGlyph status={status} />
          {status}
        </button>
      ))}
      {problem !== undefined && (
        <span class="cell-problem" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
