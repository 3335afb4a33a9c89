import { useState } from 'preact/hooks';
import type { FaultRuleView } from '../../src/admin/admin-api.ts';
import { toSentence } from '../api.ts';
import { useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { Field, Select, TextInput } from '../parts/field.tsx';
import type { Session } from '../sandboxes/session.ts';
import { describeFault, faultKinds, statusesOf, type FaultKind } from './fault-kinds.ts';

type Values = Readonly<Record<string, string>>;

const fromOne = 'A whole number from 1.';

/** Which requests a rule hits, in the order of the form. Empty: it does not matter. */
const conditions = [
  ['petId', 'Pet id', /^-?\d{1,19}$/, 'any', 'A whole number, such as 12.'],
  ['nth', 'Only the nth request', /^[1-9]\d{0,8}$/, 'all', fromOne],
  ['every', 'One in', /^[1-9]\d{0,8}$/, '1', fromOne],
  ['probability', 'Probability, 0 to 1', /^(?:0?\.\d+|0|1|1\.0*)$/, '1', 'Such as 0.25.'],
  ['times', 'At most, times', /^[1-9]\d{0,8}$/, 'no limit', fromOne],
] as const;

/** What is wrong, and with which field. Without one: the server says so. */
interface Problem {
  readonly field?: string;
  readonly text: string;
}

/** Adds a rule: what happens, and to which requests. */
export function FaultForm({ session }: { readonly session: Session }) {
  const { api, notices } = useApp();
  const [kind, setKind] = useState<FaultKind | undefined>(faultKinds[0]);
  const [operation, setOperation] = useState('');
  const [values, setValues] = useState<Values>({});
  const [isAfter, setAfter] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  if (kind === undefined) return undefined;
  const statuses = statusesOf(kind, operation);
  const valueOf = (name: string, initial = ''): string => values[name] ?? initial;
  const set = (name: string) => (value: string) => setValues({ ...values, [name]: value });
  const problemOf = (name: string): string | undefined =>
    problem?.field === name ? problem.text : undefined;
  const chosen = valueOf('status', String(statuses[0]));
  const status = statuses.includes(Number(chosen)) ? chosen : String(statuses[0]);

  const add = async (): Promise<void> => {
    const wrong = findProblem(kind, values);
    setProblem(wrong);
    if (wrong !== undefined) return;
    const filled = {
      ...Object.fromEntries(kind.fields.map(({ name, initial }) => [name, valueOf(name, initial)])),
      ...(statuses.length === 0 ? {} : { status }),
    };
    const rule: FaultRuleView = {
      ...(operation === '' ? {} : { operation }),
      ...toConditions(values),
      fault: { ...kind.toFault(filled), ...(kind.cuts && isAfter ? { after: true } : {}) },
    };
    try {
      await api.addFault(session.id, rule);
      await session.showView(() => api.getSandbox(session.id));
      notices.done(`A rule that ${describeFault(rule)} is on.`);
      setValues({});
    } catch (error) {
      setProblem({ text: `Not added: ${toSentence(error)}.` });
    }
  };

  return (
    <section class="card" aria-labelledby="add-rule">
      <h2 id="add-rule">Add a rule</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Field label="What happens" hint={`The mock ${kind.meaning}.`}>
          <Select
            value={kind.id}
            options={faultKinds.map(({ id, name }) => [id, name] as const)}
            onChange={(id) => {
              setKind(faultKinds.find((known) => known.id === id));
              setProblem(undefined);
            }}
          />
        </Field>
        <div class="field-row">
          {statuses.length > 0 && (
            <Field label="Status">
              <Select
                value={status}
                options={statuses.map((code) => [`${code}`, `${code}`] as const)}
                onChange={set('status')}
              />
            </Field>
          )}
          {kind.fields.map(({ name, label, type, initial, isRequired }) => (
            <Field key={`${kind.id} ${name}`} label={label} problem={problemOf(name)}>
              <TextInput
                value={valueOf(name, initial)}
                required={isRequired}
                placeholder={isRequired ? '' : 'optional'}
                {...(type === 'text' ? {} : { inputMode: 'decimal' as const })}
                onInput={set(name)}
              />
            </Field>
          ))}
        </div>
        {kind.cuts && (
          <label class="check">
            <input
              type="checkbox"
              checked={isAfter}
              onChange={(event) => setAfter(event.currentTarget.checked)}
            />
            The operation runs first
          </label>
        )}
        <Field label="To which requests">
          <Select
            value={operation}
            options={[
              ['', 'Every operation'],
              ['listInventory', 'listInventory'],
              ['updateInventory', 'updateInventory'],
            ]}
            onChange={setOperation}
          />
        </Field>
        <div class="field-grid">
          {conditions.map(([name, label, , placeholder]) => (
            <Field key={name} label={label} problem={problemOf(name)}>
              <TextInput
                value={valueOf(name)}
                placeholder={placeholder}
                inputMode="decimal"
                onInput={set(name)}
              />
            </Field>
          ))}
        </div>
        {problem !== undefined && problem.field === undefined && (
          <p class="field-problem" role="alert">
            {problem.text}
          </p>
        )}
        <Button kind="primary" type="submit" icon="add">
          Add rule
        </Button>
      </form>
    </section>
  );
}

function findProblem(kind: FaultKind, values: Values): Problem | undefined {
  for (const { name, type } of kind.fields) {
    const value = values[name] ?? '';
    const isNumber = type === 'decimal' ? /^\d+(?:\.\d+)?$/ : /^\d{1,9}$/;
    if (type !== 'text' && value !== '' && !isNumber.test(value)) {
      const text = type === 'decimal' ? 'A number, such as 0.5.' : 'A whole number, such as 200.';
      return { field: name, text };
    }
  }
  for (const [name, , pattern, , text] of conditions) {
    const value = values[name]?.trim() ?? '';
    if (value !== '' && !pattern.test(value)) return { field: name, text };
  }
  return undefined;
}

function toConditions(values: Values): FaultRuleView {
  return Object.fromEntries(
    conditions.flatMap(([name]) => {
      const value = values[name]?.trim() ?? '';
      if (value === '') return [];
      return [[name, name === 'petId' ? BigInt(value) : Number(value)]];
    }),
  );
}
