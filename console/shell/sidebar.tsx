import { useMemo, useRef, useState } from 'preact/hooks';
import type { SandboxView } from '../../src/admin/admin-api.ts';
import { useApp } from '../app-context.ts';
import { formatCount, formatInteger, formatSpan } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { SearchInput } from '../parts/search-input.tsx';
import { Segments } from '../parts/segments.tsx';
import { useVirtual } from '../parts/use-virtual.ts';
import { defaultId, toHash, type Route } from '../route.ts';
import { findTwice } from '../sandboxes/find-twice.ts';
import { NewSandboxDialog } from '../sandboxes/new-sandbox-dialog.tsx';
import type { Theme } from '../theme.ts';

const rowHeight = 46;

/** The way to every sandbox and to the conformance page. */
export function Sidebar() {
  const { route, sandboxes, theme } = useApp();
  const [search, setSearch] = useState('');
  const [isCreating, setCreating] = useState(false);
  const find = (text: string): void => {
    setSearch(text);
    if (text !== '') void sandboxes.loadAll();
  };
  return (
    <header class="sidebar">
      <a class="brand" href={toHash({ page: 'sandbox', id: 'default', view: 'stock' })}>
        <BrandMark />
        <span class="brand-name">Stockcheck</span>
      </a>
      <nav class="sidebar-nav" aria-label="Sandboxes">
        <div class="sidebar-head">
          <h2>
            Sandboxes <span class="count">{formatInteger(sandboxes.count.value)}</span>
          </h2>
          <Button icon="add" kind="quiet" label="New sandbox" onClick={() => setCreating(true)} />
        </div>
        <SearchInput
          label="Search sandboxes"
          placeholder="Name or id"
          value={search}
          onInput={find}
        />
        <SandboxLinks search={search.trim().toLowerCase()} />
      </nav>
      <div class="sidebar-foot">
        <a
          class="nav-link"
          href={toHash({ page: 'conformance', sandbox: sandboxOf(route.value) })}
          aria-current={route.value.page === 'conformance' ? 'page' : undefined}
        >
          <Icon name="grid" />
          Conformance
        </a>
        <Segments<Theme>
          label="Theme"
          name="theme"
          value={theme.value}
          onChange={(next) => {
            theme.value = next;
          }}
          options={[
            { value: 'system', content: <Named icon="screen" name="System" /> },
            { value: 'light', content: <Named icon="sun" name="Light" /> },
            { value: 'dark', content: <Named icon="moon" name="Dark" /> },
          ]}
        />
      </div>
      {isCreating && <NewSandboxDialog onClose={() => setCreating(false)} />}
    </header>
  );
}

/** The sandbox that is open, or whose conformance is. */
function sandboxOf(route: Route): string {
  return route.page === 'sandbox' ? route.id : (route.sandbox ?? defaultId);
}

function Named({
  icon,
  name,
}: {
  readonly icon: 'screen' | 'sun' | 'moon';
  readonly name: string;
}) {
  return (
    <>
      <Icon name={icon} />
      <span class="hidden">{name}</span>
    </>
  );
}

function SandboxLinks(props: { readonly search: string }) {
  const { route, sandboxes } = useApp();
  const scroller = useRef<HTMLDivElement>(null);
  const found = sandboxes.views.value.filter(
    ({ id, name }) => name.toLowerCase().includes(props.search) || id.includes(props.search),
  );
  const twice = useMemo(() => findTwice(sandboxes.views.value), [sandboxes.views.value]);
  const { rows, height } = useVirtual({ scroller, count: found.length, rowHeight });
  const { failure, hasMore, isLoading } = sandboxes;
  return (
    <div class="sandbox-links" ref={scroller}>
      <ul style={{ height: `${height}px` }}>
        {rows.map(({ index, start }) => {
          const view = found[index];
          return (
            view && (
              <li
                key={view.id}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={found.length}
                aria-posinset={index + 1}
              >
                <SandboxLink view={view} route={route.value} hasId={twice.has(view.name)} />
              </li>
            )
          );
        })}
      </ul>
      {failure.value !== undefined && <p class="hint is-error">Not read: {failure}.</p>}
      {found.length === 0 && !isLoading.value && failure.value === undefined && (
        <p class="hint">No sandbox has this name or id.</p>
      )}
      {hasMore.value && (
        <Button kind="quiet" disabled={isLoading.value} onClick={() => void sandboxes.loadMore()}>
          {isLoading.value ? 'Loading…' : 'Load more'}
        </Button>
      )}
    </div>
  );
}

function SandboxLink(props: {
  readonly view: SandboxView;
  readonly route: Route;
  /** Whether the name alone does not tell it apart. */
  readonly hasId: boolean;
}) {
  const { now } = useApp();
  const { view, route, hasId } = props;
  const isCurrent = route.page === 'sandbox' && route.id === view.id;
  // The next sandbox opens on the view that the last one showed.
  const shown = route.page === 'sandbox' ? route.view : 'stock';
  const left = view.expiresAt === undefined ? undefined : Date.parse(view.expiresAt) - now.value;
  return (
    <a
      class="sandbox-link"
      href={toHash({ page: 'sandbox', id: view.id, view: shown })}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <span class="sandbox-title-line">
        <span class="sandbox-name" title={view.name}>
          {view.name}
        </span>
        {hasId && view.id !== view.name && <code class="sandbox-id"> {view.id}</code>}
      </span>
      <span class="sandbox-facts">
        {formatCount(view.pets, 'pet')}
        {left !== undefined && <> · {left <= 0 ? 'expired' : `${formatSpan(left)} left`}</>}
        {view.faults.length > 0 && (
          <span class="fault-flag">
            <Icon name="bolt" />
            {view.faults.length}
            <span class="hidden"> faults on</span>
          </span>
        )}
      </span>
    </a>
  );
}

function BrandMark() {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path class="lines" d="M8 11h9M8 16h6M8 21h4" />
      <path class="tick" d="m15.5 20.5 3.7 3.5 6-9" />
    </svg>
  );
}
