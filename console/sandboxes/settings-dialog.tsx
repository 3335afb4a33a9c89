import { useState } from 'preact/hooks';
import type { SandboxView } from '../../src/admin/admin-api.ts';
import { toSentence } from '../api.ts';
import { useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Select, TextInput } from '../parts/field.tsx';
import { timesToLive, toTimeToLive } from './time-to-live.ts';

/** Changes the name of a sandbox and when it ends. */
export function SettingsDialog(props: {
  readonly settings: SandboxView;
  readonly onClose: () => void;
}) {
  const { api, sandboxes, notices } = useApp();
  const { settings, onClose } = props;
  const [name, setName] = useState(settings.name);
  const [timeToLive, setTimeToLive] = useState('keep');
  const [problem, setProblem] = useState<string>();
  const save = async (): Promise<void> => {
    try {
      const view = await api.changeSandbox(settings.id, {
        ...(name === settings.name ? {} : { name }),
        ...(timeToLive === 'keep' ? {} : { timeToLive: toTimeToLive(timeToLive) }),
      });
      sandboxes.put(view);
      notices.done('The settings are saved.');
      onClose();
    } catch (error) {
      setProblem(`Not saved: ${toSentence(error)}.`);
    }
  };
  return (
    <Dialog title="Settings" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label="Name" problem={problem}>
          <TextInput value={name} required autoFocus maxLength={64} onInput={setName} />
        </Field>
        {settings.id !== 'default' && (
          <Field label="Expires" hint="Counted from now.">
            <Select
              value={timeToLive}
              options={[['keep', 'Leave as it is'], ...timesToLive]}
              onChange={setTimeToLive}
            />
          </Field>
        )}
        <div class="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
