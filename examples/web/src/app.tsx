import { useState } from 'react';
import type { Connection } from './connection.ts';
import type { InventoryApi, PetStatus } from './inventory-api.ts';
import { PetRow } from './pet-row.tsx';
import { SetbackNotice } from './setback-notice.tsx';
import { statusNames } from './status-names.ts';
import { useInventory, type Row } from './use-inventory.ts';

const filters = ['all', 'available', 'pending', 'sold'] as const;

export interface AppProps {
  readonly api: InventoryApi;
  readonly connection: Connection;
}

export function App({ api, connection }: AppProps) {
  const [filter, setFilter] = useState<PetStatus | 'all'>('all');
  const { rows, problem, setback, load, setQuantity, dismiss } = useInventory(api);
  const shown = rows?.filter(({ status }) => filter === 'all' || status === filter);

  return (
    <main>
      <header className="top">
        <div>
          <h1>Stock</h1>
          <p className="summary">{rows === undefined ? 'Pet store inventory' : summarize(rows)}</p>
        </div>
        <p className="connection" data-mocked={connection.isMocked}>
          {connection.isMocked ? 'Mock in this page' : connection.baseUrl}
        </p>
      </header>

      <nav className="filters" aria-label="Filter by status">
        {filters.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={filter === name}
            onClick={() => setFilter(name)}
          >
            {name === 'all' ? 'All' : statusNames[name]}
            <span className="count">{rows === undefined ? '' : count(rows, name)}</span>
          </button>
        ))}
      </nav>

      {problem !== undefined && (
        <section className="empty" role="alert">
          <h2>The inventory could not be loaded</h2>
          <p>{problem.text}</p>
          <button type="button" className="primary" onClick={load}>
            Try again
          </button>
        </section>
      )}
      {problem === undefined && shown === undefined && <Skeleton />}
      {shown?.length === 0 && (
        <section className="empty">
          <h2>Nothing here</h2>
          <p>{filter === 'all' ? 'The store has no pets.' : `No pet is ${filter}.`}</p>
        </section>
      )}
      {shown !== undefined && shown.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Pet</th>
              <th scope="col">Status</th>
              <th scope="col" className="right">
                In stock
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <PetRow key={String(row.petId)} row={row} onQuantity={setQuantity} />
            ))}
          </tbody>
        </table>
      )}

      {setback !== undefined && (
        <SetbackNotice
          setback={setback}
          onRetry={() => setQuantity(setback.petId, setback.wanted)}
          onDismiss={dismiss}
        />
      )}
    </main>
  );
}

function count(rows: readonly Row[], filter: PetStatus | 'all'): number {
  return filter === 'all' ? rows.length : rows.filter(({ status }) => status === filter).length;
}

function summarize(rows: readonly Row[]): string {
  const total = rows.reduce((sum, { quantity }) => sum + quantity, 0n);
  const out = rows.filter(({ quantity }) => quantity === 0n).length;
  const pets = rows.length === 1 ? '1 pet' : `${rows.length} pets`;
  return `${pets} · ${total.toLocaleString('en')} in stock · ${out} out of stock`;
}

function Skeleton() {
  return (
    <div className="skeleton" aria-label="Loading the inventory" role="status">
      {[1, 2, 3, 4, 5, 6].map((line) => (
        <span key={line} />
      ))}
    </div>
  );
}
