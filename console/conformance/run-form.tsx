import { useState } from 'preact/hooks';
import type { SandboxView } from '../../src/admin/admin-api.ts';
import { useApp } from '../app-context.ts';
import { formatCount } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Field, Select, TextInput } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Segments } from '../parts/segments.tsx';
import { defaultId, toHash } from '../route.ts';
import { findTwice } from '../sandboxes/find-twice.ts';

/** What to verify, start and stop. The key stays in this form and is gone with it. */
export function RunForm() {
  const { sandboxes, verification, route } = useApp();
  const [target, setTarget] = useState<'mock' | 'url'>('mock');
  const [baseUrl, setBaseUrl] = useState('');
  const [apiKey, setApiKey] = useState('');
  const [readOnly, setReadOnly] = useState(false);
  const isRunning = verification.state.value.kind === 'running';
  const shown = route.value;
  const sandbox = (shown.page === 'conformance' ? shown.sandbox : undefined) ?? defaultId;
  const views = sandboxes.views.value;
  const view = views.find(({ id }) => id === sandbox);
  const name = view?.name ?? sandbox;
  const faults = view?.faults.length ?? 0;
  const start = (): void => {
    if (target === 'mock') {
      const copy = `a copy of the sandbox ${name}, with its policy and faults`;
      void verification.start({ sandbox }, copy);
      return;
    }
    const url = baseUrl.trim();
    void verification.start({ baseUrl: url, apiKey, ...(readOnly ? { readOnly } : {}) }, url);
  };
  return (
    <form
      class="run-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRunning) start();
      }}
    >
      <Segments<'mock' | 'url'>
        label="What to verify"
        name="target"
        value={target}
        onChange={setTarget}
        options={[
          { value: 'mock', content: 'This mock' },
          { value: 'url', content: 'A URL' },
        ]}
      />
      {target === 'mock' && (
        <Field label="Sandbox">
          <Select
            value={sandbox}
            options={toOptions(views, sandbox)}
            onChange={(id) => location.replace(toHash({ page: 'conformance', sandbox: id }))}
          />
        </Field>
      )}
      {target === 'url' && (
        <>
          <Field label="Base URL">
            <TextInput
              type="url"
              value={baseUrl}
              placeholder="https://staging.example/v1"
              required
              onInput={setBaseUrl}
            />
          </Field>
          <Field label="API key">
            <TextInput type="password" value={apiKey} required onInput={setApiKey} />
          </Field>
          <label class="check">
            <input
              type="checkbox"
              checked={readOnly}
              onChange={(event) => setReadOnly(event.currentTarget.checked)}
            />
            Read only
          </label>
        </>
      )}
      {isRunning ? (
        // Keys: were it one element, the click on one would be finished as a click on the other.
        <Button key="stop" icon="stop" onClick={() => verification.stop()}>
          Stop
        </Button>
      ) : (
        <Button key="start" icon="play" kind="primary" type="submit">
          Run the case table
        </Button>
      )}
      {target === 'mock' && faults > 0 && (
        <p class="hint run-warning">
          <Icon name="bolt" />
          {formatCount(faults, 'fault')} {faults === 1 ? 'is' : 'are'} on in the sandbox {name}: the
          run meets {faults === 1 ? 'it' : 'them'} too.
        </p>
      )}
    </form>
  );
}

/** The sandboxes that are loaded, by name, and by id where the name does not tell one apart. */
function toOptions(
  views: readonly SandboxView[],
  chosen: string,
): readonly (readonly [id: string, text: string])[] {
  const twice = findTwice(views);
  const known = views.map(
    ({ id, name }) => [id, twice.has(name) && id !== name ? `${name} (${id})` : name] as const,
  );
  return known.some(([id]) => id === chosen) ? known : [...known, [chosen, chosen]];
}
