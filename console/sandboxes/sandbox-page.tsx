import { useEffect, useState } from 'preact/hooks';
import { useApp, type App } from '../app-context.ts';
import { FaultsView } from '../faults/faults-view.tsx';
import { formatCount, formatExpiry, formatMoment } from '../format.ts';
import { JournalView } from '../journal/journal-view.tsx';
import { Button } from '../parts/button.tsx';
import { Question } from '../parts/dialog.tsx';
import { Skeleton, StateMessage } from '../parts/state-message.tsx';
import { PolicyView } from '../policy/policy-view.tsx';
import { sandboxViews, toHash, type SandboxViewName } from '../route.ts';
import { SnapshotsView } from '../snapshots/snapshots-view.tsx';
import { StockView } from '../stock/stock-view.tsx';
import { openSession, type Session } from './session.ts';
import { SettingsDialog } from './settings-dialog.tsx';

export interface SandboxPageProps {
  readonly id: string;
  readonly view: SandboxViewName;
  readonly detail: string | undefined;
}

/** One sandbox: its head, its tabs, and the view that is chosen. */
export function SandboxPage({ id, view, detail }: SandboxPageProps) {
  const { api, sandboxes } = useApp();
  const [session, setSession] = useState<Session>();
  useEffect(() => {
    const opened = openSession(api, id, (known) => {
      if (known === undefined) sandboxes.remove(id);
      else sandboxes.put(known);
    });
    setSession(opened);
    return () => opened.close();
  }, []);
  if (session === undefined) return undefined;
  const loading = session.loading.value;
  if (loading.kind === 'gone') {
    const name = session.view.value?.name;
    return (
      <StateMessage
        icon="box"
        title={name === undefined ? `There is no sandbox “${id}”` : `“${name}” is gone`}
        isPage
      >
        <p>
          {name === undefined
            ? 'It was deleted, has expired, or never was.'
            : 'It was deleted, its time is over, or the server was started anew.'}
        </p>
        <a class="button" href={toHash({ page: 'sandbox', id: 'default', view: 'stock' })}>
          Go to the default sandbox
        </a>
      </StateMessage>
    );
  }
  return (
    <div class="sandbox">
      <SandboxHead session={session} view={view} />
      {loading.kind === 'failed' && (
        <StateMessage icon="close" title="The sandbox cannot be read" isError>
          <p>{loading.reason}.</p>
          <Button onClick={() => void session.load()}>Try again</Button>
        </StateMessage>
      )}
      {loading.kind === 'loading' && <Skeleton lines={12} />}
      {loading.kind === 'ready' && <View session={session} view={view} detail={detail} />}
    </div>
  );
}

function View(props: {
  readonly session: Session;
  readonly view: SandboxViewName;
  readonly detail: string | undefined;
}) {
  const { session } = props;
  switch (props.view) {
    case 'stock':
      return <StockView session={session} />;
    case 'journal':
      return <JournalView session={session} detail={props.detail} />;
    case 'faults':
      return <FaultsView session={session} />;
    case 'snapshots':
      return <SnapshotsView session={session} />;
    case 'policy':
      return <PolicyView session={session} />;
  }
}

const titles: Readonly<Record<SandboxViewName, string>> = {
  stock: 'Stock',
  journal: 'Journal',
  faults: 'Faults',
  snapshots: 'Snapshots',
  policy: 'Policy',
};

function SandboxHead({
  session,
  view,
}: {
  readonly session: Session;
  readonly view: SandboxViewName;
}) {
  const app = useApp();
  const [open, setOpen] = useState<'none' | 'settings' | 'delete'>('none');
  const settings = session.view.value;
  const { id } = session;
  return (
    <header class="sandbox-head">
      <div class="sandbox-title">
        <h1>{settings?.name ?? id}</h1>
        <ConnectionState session={session} />
        <div class="sandbox-actions">
          <Button icon="edit" kind="quiet" isCompact onClick={() => setOpen('settings')}>
            Settings
          </Button>
          {id !== 'default' && (
            <Button icon="trash" kind="quiet" isCompact onClick={() => setOpen('delete')}>
              Delete
            </Button>
          )}
        </div>
      </div>
      {settings !== undefined && (
        <p class="facts">
          {settings.name !== id && <code>{id}</code>}
          <span>fixture {settings.fixture}</span>
          <span>{formatCount(settings.pets, 'pet')}</span>
          <span title={settings.expiresAt && formatMoment(settings.expiresAt)}>
            {formatExpiry(settings.expiresAt, app.now.value)}
          </span>
        </p>
      )}
      <nav class="tabs" aria-label={`Views of ${settings?.name ?? id}`}>
        {sandboxViews.map((name) => (
          <a
            key={name}
            href={toHash({ page: 'sandbox', id, view: name })}
            aria-current={name === view ? 'page' : undefined}
          >
            {titles[name]}
            {name === 'faults' && settings !== undefined && settings.faults.length > 0 && (
              <span class="tab-count">
                {settings.faults.length}
                <span class="hidden"> on</span>
              </span>
            )}
          </a>
        ))}
      </nav>
      {open === 'settings' && settings !== undefined && (
        <SettingsDialog settings={settings} onClose={() => setOpen('none')} />
      )}
      {open === 'delete' && (
        <Question
          title={`Delete “${settings?.name ?? id}”?`}
          text="Its stock, snapshots and journal are gone, and its key no longer opens anything."
          action="Delete sandbox"
          onAnswer={(isYes) => {
            setOpen('none');
            if (isYes) void remove(app, session);
          }}
        />
      )}
    </header>
  );
}

async function remove({ api, notices, sandboxes }: App, session: Session): Promise<void> {
  const name = session.view.value?.name ?? session.id;
  const isDone = await notices.attempt(
    () => api.deleteSandbox(session.id),
    `Sandbox “${name}” is deleted.`,
    `Sandbox “${name}” is not deleted`,
  );
  if (!isDone) return;
  sandboxes.remove(session.id);
  location.hash = toHash({ page: 'sandbox', id: 'default', view: 'stock' });
}

const connectionWords = {
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  paused: 'Paused',
} as const;

function ConnectionState({ session }: { readonly session: Session }) {
  const connection = session.connection.value;
  return (
    <span class={`connection is-${connection}`} role="status">
      <span class="connection-dot" />
      {connectionWords[connection]}
    </span>
  );
}
