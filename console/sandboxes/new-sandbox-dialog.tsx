import { useEffect, useState } from 'preact/hooks';
import type { CreatedSandbox, SandboxRequest } from '../../src/admin/admin-api.ts';
import { isJsonObject, parseExactJson } from '../../src/json/exact-json.ts';
import { toSentence } from '../api.ts';
import { useApp } from '../app-context.ts';
import { formatCount } from '../format.ts';
import { Button, CopyButton } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, FileInput, Select, TextInput } from '../parts/field.tsx';
import { PolicyDraft } from '../policy/policy-draft.tsx';
import { toHash } from '../route.ts';
import type { FixtureView } from '../wire.ts';
import { timesToLive, toTimeToLive } from './time-to-live.ts';

const fromFile = 'a file…';

/** Makes a sandbox, then shows its key: the only time that it is told. */
export function NewSandboxDialog({ onClose }: { readonly onClose: () => void }) {
  const [created, setCreated] = useState<CreatedSandbox>();
  return created === undefined ? (
    <Dialog title="New sandbox" onClose={onClose}>
      <NewSandboxForm onCreated={setCreated} onCancel={onClose} />
    </Dialog>
  ) : (
    <Dialog key="created" title={`“${created.name}” is ready`} onClose={onClose}>
      <KeyNote created={created} onClose={onClose} />
    </Dialog>
  );
}

function NewSandboxForm(props: {
  readonly onCreated: (created: CreatedSandbox) => void;
  readonly onCancel: () => void;
}) {
  const { api, sandboxes } = useApp();
  const [fixtures, setFixtures] = useState<readonly FixtureView[]>([]);
  const [name, setName] = useState('');
  const [fixture, setFixture] = useState('server');
  const [file, setFile] = useState<object>();
  const [timeToLive, setTimeToLive] = useState('86400');
  const [scenario, setScenario] = useState('');
  const [apiKey, setApiKey] = useState('');
  const [policy, setPolicy] = useState<Readonly<Record<string, unknown>>>({});
  /** What is wrong with the policy. */
  const [wrong, setWrong] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    api.listFixtures().then(setFixtures, (error: unknown) => {
      setProblem(`The fixtures cannot be read: ${toSentence(error)}.`);
    });
  }, []);
  const scenarios = fixtures.find((known) => known.name === fixture)?.scenarios ?? [];

  const create = async (): Promise<void> => {
    if (fixture === fromFile && file === undefined) return;
    if (wrong !== undefined) {
      setProblem(`Not created: ${wrong}`);
      return;
    }
    setBusy(true);
    setProblem(undefined);
    const request: SandboxRequest = {
      ...(name === '' ? {} : { name }),
      fixture: fixture === fromFile && file !== undefined ? file : fixture,
      timeToLive: toTimeToLive(timeToLive),
      ...(Object.keys(policy).length === 0 ? {} : { policy }),
      ...(scenario === '' ? {} : { scenario }),
      ...(apiKey === '' ? {} : { apiKey }),
    };
    try {
      const created = await api.createSandbox(request);
      const { apiKey: _key, ...view } = created;
      sandboxes.add(view);
      props.onCreated(created);
    } catch (error) {
      setProblem(`Not created: ${toSentence(error)}.`);
      setBusy(false);
    }
  };
  const readFile = async (chosen: File | undefined): Promise<void> => {
    setFile(undefined);
    if (chosen === undefined) return;
    const parsed = parseExactJson(await chosen.text());
    const isFixture = parsed.ok && (Array.isArray(parsed.value) || isJsonObject(parsed.value));
    const reason = parsed.ok ? 'expected an object or an array' : parsed.problem;
    setFile(isFixture ? (parsed.value as object) : undefined);
    setProblem(isFixture ? undefined : `${chosen.name} is no fixture: ${reason}.`);
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <Field label="Name">
        <TextInput
          value={name}
          placeholder="Checkout demo"
          autoFocus
          maxLength={64}
          onInput={setName}
        />
      </Field>
      <div class="field-row">
        <Field label="Fixture">
          <Select
            value={fixture}
            options={[
              ...(fixtures.length === 0 ? [{ name: 'server', scenarios: [] }] : fixtures).map(
                (known) => [known.name, describeFixture(known)] as const,
              ),
              [fromFile, 'A file…'],
            ]}
            onChange={(chosen) => {
              setFixture(chosen);
              setScenario('');
            }}
          />
        </Field>
        <Field label="Expires after">
          <Select value={timeToLive} options={timesToLive} onChange={setTimeToLive} />
        </Field>
      </div>
      {fixture === fromFile && (
        <Field label="Fixture file" hint="An object with an inventory, or an array of items.">
          <FileInput accept=".json,application/json" onFile={(chosen) => void readFile(chosen)} />
        </Field>
      )}
      <div class="field-row">
        {scenarios.length > 0 && (
          <Field label="Scenario">
            <Select
              value={scenario}
              options={[['', 'None'], ...scenarios.map((known) => [known, known] as const)]}
              onChange={setScenario}
            />
          </Field>
        )}
        <Field label="API key">
          <TextInput value={apiKey} placeholder="one is made" onInput={setApiKey} />
        </Field>
      </div>
      <details class="more">
        <summary>
          Policy
          <span class="hint">
            {Object.keys(policy).length === 0
              ? 'as the fixture and the server say'
              : formatCount(Object.keys(policy).length, 'answer')}
          </span>
        </summary>
        <PolicyDraft policy={policy} onChange={setPolicy} onProblem={setWrong} />
      </details>
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
      <div class="dialog-foot">
        <Button onClick={props.onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={isBusy}>
          Create sandbox
        </Button>
      </div>
    </form>
  );
}

function describeFixture({ name, pets }: FixtureView): string {
  const text = name === 'server' ? 'The server’s' : name;
  return pets === undefined ? text : `${text} · ${formatCount(pets, 'pet')}`;
}

function KeyNote(props: { readonly created: CreatedSandbox; readonly onClose: () => void }) {
  const { created, onClose } = props;
  return (
    <>
      <p class="dialog-text">
        This key opens it: a client needs nothing else. <strong>It is shown only now.</strong>
      </p>
      <div class="key">
        <code>{created.apiKey}</code>
        <CopyButton text={created.apiKey}>Copy key</CopyButton>
      </div>
      <div class="dialog-foot">
        <Button onClick={onClose}>Close</Button>
        <Button
          kind="primary"
          onClick={() => {
            onClose();
            location.hash = toHash({ page: 'sandbox', id: created.id, view: 'stock' });
          }}
        >
          Open sandbox
        </Button>
      </div>
    </>
  );
}
