import { useState } from 'preact/hooks';
import { useApp } from '../app-context.ts';
import { formatCount } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Segments } from '../parts/segments.tsx';

/** What to verify, start and stop. The key stays in this form and is gone with it. */
export function RunForm() {
  const { sandboxes, verification } = useApp();
  const [target, setTarget] = useState<'mock' | 'url'>('mock');
  const [baseUrl, setBaseUrl] = useState('');
  const [apiKey, setApiKey] = useState('');
  const [readOnly, setReadOnly] = useState(false);
  const isRunning = verification.state.value.kind === 'running';
  const faults = sandboxes.views.value.find(({ id }) => id === 'default')?.faults.length ?? 0;
  const start = (): void => {
    void verification.start(
      target === 'mock'
        ? {}
        : { baseUrl: baseUrl.trim(), apiKey, ...(readOnly ? { readOnly } : {}) },
    );
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
          {formatCount(faults, 'fault')} {faults === 1 ? 'is' : 'are'} on in the sandbox default:
          the run meets {faults === 1 ? 'it' : 'them'} too.
        </p>
      )}
    </form>
  );
}
