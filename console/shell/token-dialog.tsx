import { useState } from 'preact/hooks';
import { useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, TextInput } from '../parts/field.tsx';

/** Asks for the token of a server that can be reached from other machines. */
export function TokenDialog() {
  const { access } = useApp();
  const [token, setToken] = useState('');
  const isRefused = access.question.value === 'refused';
  return (
    <Dialog title="This server asks for a token">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (token !== '') access.give(token);
        }}
      >
        <p class="dialog-text">
          It can be reached from other machines, so what is here is not for everybody. The token is
          the one that the server was started with, or printed then. It is kept until this tab is
          closed.
        </p>
        <Field
          label="Admin token"
          problem={isRefused ? 'The server did not take this token.' : undefined}
        >
          <TextInput type="password" value={token} required autoFocus onInput={setToken} />
        </Field>
        <div class="dialog-foot">
          <Button kind="primary" type="submit">
            Continue
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
