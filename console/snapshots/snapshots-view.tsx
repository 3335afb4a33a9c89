import { useState } from 'preact/hooks';
import type { SnapshotView } from '../../src/admin/admin-api.ts';
import { useApp } from '../app-context.ts';
import { formatCount, formatMoment } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Question } from '../parts/dialog.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { StateMessage } from '../parts/state-message.tsx';
import type { Session } from '../sandboxes/session.ts';
import { DiffView } from './diff-view.tsx';

/** States to come back to: take, compare, restore, export. */
export function SnapshotsView({ session }: { readonly session: Session }) {
  const snapshots = session.view.value?.snapshots ?? [];
  const [compared, setCompared] = useState<string>();
  const known = snapshots.some(({ name }) => name === compared) ? compared : undefined;
  return (
    <div class="view page-view columns">
      <div class="column">
        <section aria-labelledby="snapshots-title">
          <h2 id="snapshots-title">
            Snapshots <span class="count">{snapshots.length}</span>
          </h2>
          <TakeSnapshot session={session} />
          {snapshots.length === 0 ? (
            <StateMessage icon="camera" title="No snapshot yet">
              <p>Take one before a demo, and come back to it as often as you like.</p>
            </StateMessage>
          ) : (
            <ul class="snapshots">
              {snapshots.map((snapshot) => (
                <Snapshot
                  key={snapshot.name}
                  session={session}
                  snapshot={snapshot}
                  isCompared={snapshot.name === known}
                  onCompare={() => setCompared(snapshot.name === known ? undefined : snapshot.name)}
                />
              ))}
            </ul>
          )}
        </section>
        <BackToSeed session={session} />
      </div>
      <DiffView key={known ?? ''} session={session} snapshot={known} />
    </div>
  );
}

function TakeSnapshot({ session }: { readonly session: Session }) {
  const { api, notices } = useApp();
  const [name, setName] = useState('');
  const take = async (): Promise<void> => {
    const isDone = await notices.attempt(
      async () => {
        await api.takeSnapshot(session.id, name.trim());
        await session.showView(() => api.getSandbox(session.id));
      },
      `Snapshot “${name.trim()}” is taken.`,
      'The snapshot is not taken',
    );
    if (isDone) setName('');
  };
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') void take();
      }}
    >
      <Field label="Name of the snapshot">
        <TextInput
          value={name}
          placeholder="before the demo"
          required
          maxLength={64}
          onInput={setName}
        />
      </Field>
      <Button kind="primary" type="submit" icon="camera">
        Take snapshot
      </Button>
    </form>
  );
}

function Snapshot(props: {
  readonly session: Session;
  readonly snapshot: SnapshotView;
  readonly isCompared: boolean;
  readonly onCompare: () => void;
}) {
  const { api, notices } = useApp();
  const [asked, setAsked] = useState<'restore' | 'delete'>();
  const { session, isCompared, onCompare } = props;
  const { name, createdAt } = props.snapshot;
  const act = async (action: 'restore' | 'delete'): Promise<void> => {
    await notices.attempt(
      async () => {
        if (action === 'restore') await api.restoreSnapshot(session.id, name);
        else await api.deleteSnapshot(session.id, name);
        await session.showView(() => api.getSandbox(session.id));
      },
      `Snapshot “${name}” is ${action === 'restore' ? 'restored' : 'deleted'}.`,
      `Snapshot “${name}” is not ${action === 'restore' ? 'restored' : 'deleted'}`,
    );
  };
  return (
    <li class="snapshot">
      <span class="snapshot-name">{name}</span>
      <span class="hint">{formatMoment(createdAt)}</span>
      <span class="row-actions">
        <Button kind="quiet" pressed={isCompared} onClick={onCompare}>
          Compare
        </Button>
        <Button kind="quiet" icon="undo" onClick={() => setAsked('restore')}>
          Restore
        </Button>
        <Button
          kind="quiet"
          icon="trash"
          label={`Delete snapshot ${name}`}
          onClick={() => setAsked('delete')}
        />
      </span>
      {asked !== undefined && (
        <Question
          title={asked === 'restore' ? `Restore “${name}”?` : `Delete “${name}”?`}
          text={
            asked === 'restore'
              ? 'The stock becomes what it was when the snapshot was taken. Changes since are lost.'
              : 'The snapshot is gone. The stock stays as it is.'
          }
          action={asked === 'restore' ? 'Restore snapshot' : 'Delete snapshot'}
          onAnswer={(isYes) => {
            setAsked(undefined);
            if (isYes) void act(asked);
          }}
        />
      )}
    </li>
  );
}

function BackToSeed({ session }: { readonly session: Session }) {
  const { api, notices } = useApp();
  const [isAsking, setAsking] = useState(false);
  // Follows the stock.
  void session.stock.version.value;
  const { changed } = session.stock.totals();
  const download = async (): Promise<void> => {
    await notices.attempt(
      async () => save(await api.exportFixture(session.id), `${session.id}.json`),
      'The fixture is downloaded.',
      'The fixture is not exported',
    );
  };
  return (
    <section class="seed-actions" aria-labelledby="seed-title">
      <h2 id="seed-title">Seed</h2>
      <p class="lead">
        {changed === 0
          ? 'The stock is as its fixture says.'
          : `${formatCount(changed, 'pet')} ${changed === 1 ? 'differs' : 'differ'} from the fixture.`}
      </p>
      <div class="row-actions">
        <Button icon="undo" disabled={changed === 0} onClick={() => setAsking(true)}>
          Reset to the seed
        </Button>
        <Button icon="download" onClick={() => void download()}>
          Export as a fixture
        </Button>
      </div>
      {isAsking && (
        <Question
          title="Reset the stock to its seed?"
          text={`${formatCount(changed, 'change')} will be undone. A snapshot keeps them.`}
          action="Reset stock"
          onAnswer={(isYes) => {
            setAsking(false);
            if (!isYes) return;
            void notices.attempt(
              () => api.reset(session.id),
              'The stock is back to its seed.',
              'The stock is not reset',
            );
          }}
        />
      )}
    </section>
  );
}

/** Hands a text to the browser as a file: a plain link could not send the token. */
function save(text: string, name: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return Promise.resolve();
}
