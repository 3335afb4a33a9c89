import type { SandboxStorage } from '../inventory/sandbox-storage.ts';
import { quoteText } from '../json/cut-text.ts';
import { isName } from './sandbox-options.ts';
import { readSettings } from './sandbox-settings.ts';
import { SandboxError } from './sandbox.ts';

/** Among more sandboxes, a name is not looked for: all of them would have to be read. */
const mostSearched = 1000;

const mostNamed = 5;

/** What to say of an id that no sandbox has: it may be the name of one, which people see more often. */
export async function toNoSuchSandbox(id: string, storage: SandboxStorage): Promise<SandboxError> {
  const named = await findNamed(id, storage);
  const why =
    named.length === 0 ? 'it never was, it has expired, or it was deleted' : describe(named);
  return new SandboxError('notFound', `there is no sandbox ${quoteText(id)}: ${why}`);
}

/** The ids of the sandboxes that have a name. */
async function findNamed(name: string, storage: SandboxStorage): Promise<readonly string[]> {
  if (!isName(name) || (await storage.count()) > mostSearched) return [];
  const written = JSON.stringify(name);
  return (await storage.list())
    .filter(
      // To look for it in the text is cheap; the settings may be long.
      ({ settings }) => settings.includes(written) && readSettings(settings).name === name,
    )
    .map(({ id }) => id);
}

function describe(ids: readonly string[]): string {
  const [only] = ids;
  if (ids.length === 1) return `that is the name of ${only}; use this id`;
  const such = ids.length > mostNamed ? ', such as' : ':';
  return `that is the name of ${ids.length} sandboxes${such} ${ids.slice(0, mostNamed).join(', ')}; use the id of one`;
}
