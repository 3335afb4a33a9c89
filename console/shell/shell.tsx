import { useEffect, useState } from 'preact/hooks';
import { useApp } from '../app-context.ts';
import { ConformanceView } from '../conformance/conformance-view.tsx';
import { Icon } from '../parts/icon.tsx';
import { SandboxPage } from '../sandboxes/sandbox-page.tsx';
import { NoticeList } from './notice-list.tsx';
import { Sidebar } from './sidebar.tsx';
import { TokenDialog } from './token-dialog.tsx';

/** The frame of the page: the sandboxes at the side, the view in the middle. */
export function Shell() {
  const { route, access } = useApp();
  const [isOpen, setOpen] = useState(false);
  const shown = route.value;
  // A menu over the view that was chosen in it would be in the way.
  useEffect(() => setOpen(false), [shown]);
  return (
    <div
      class={isOpen ? 'shell is-menu-open' : 'shell'}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a') !== null) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !(event.target instanceof HTMLInputElement)) setOpen(false);
      }}
    >
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>('#main')?.focus();
        }}
      >
        Skip to the view
      </a>
      <div class="topbar" role="region" aria-label="Menu">
        <button
          type="button"
          class="button quiet icon-only"
          aria-label="Sandboxes"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
        <span class="brand-name">Stockcheck</span>
      </div>
      <Sidebar />
      <main id="main" tabIndex={-1}>
        {shown.page === 'conformance' ? (
          <ConformanceView />
        ) : (
          <SandboxPage key={shown.id} id={shown.id} view={shown.view} detail={shown.detail} />
        )}
      </main>
      <NoticeList />
      {access.question.value !== 'none' && <TokenDialog />}
    </div>
  );
}
