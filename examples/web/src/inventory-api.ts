import type { Connection } from './connection.ts';

export type PetStatus = 'available' | 'pending' | 'sold';

export interface Item {
  /** 64 bits: more than a JavaScript number holds. */
  readonly petId: bigint;
  readonly quantity: bigint;
  readonly status: PetStatus;
}

/** Why a request failed, as the page tells people. */
export interface Problem {
  readonly kind: 'offline' | 'unauthorized' | 'invalid' | 'notFound' | 'unexpected';
  readonly text: string;
}

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

export interface InventoryApi {
  list(): Promise<Result<readonly Item[]>>;
  update(petId: bigint, quantity: bigint): Promise<Result<Item>>;
}

const problems: Readonly<Record<number, Problem>> = {
  400: { kind: 'invalid', text: 'The store does not accept this quantity.' },
  401: { kind: 'unauthorized', text: 'The store does not accept the API key of this page.' },
  404: { kind: 'notFound', text: 'The store no longer knows this pet.' },
};

const offline: Problem = { kind: 'offline', text: 'The store cannot be reached.' };
const unreadable: Problem = {
  kind: 'unexpected',
  text: 'The store gave an answer that cannot be read.',
};

export function createInventoryApi({ baseUrl, apiKey }: Connection): InventoryApi {
  const authorization = { Authorization: `Bearer ${apiKey}` };

  async function send<T>(path: string, init: RequestInit): Promise<Result<T>> {
    try {
      const response = await fetch(baseUrl + path, init);
      if (response.ok) return { ok: true, value: parseItems(await response.text()) as T };
      const text = `The store answered with an unexpected status, ${response.status}.`;
      return { ok: false, problem: problems[response.status] ?? { kind: 'unexpected', text } };
    } catch (error) {
      return { ok: false, problem: error instanceof SyntaxError ? unreadable : offline };
    }
  }

  return {
    list: () => send<readonly Item[]>('/inventory', { headers: authorization }),
    update: (petId, quantity) =>
      send<Item>(`/inventory/${petId}`, {
        method: 'PATCH',
        headers: { ...authorization, 'Content-Type': 'application/json' },
        body: `{"quantity":${quantity}}`,
      }),
  };
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Keeps every digit: the reviver is told how a number was written. */
function parseItems(text: string): unknown {
  const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
  return parse(text, (_name, value, { source }) =>
    typeof value === 'number' ? BigInt(source ?? value) : value,
  );
}
