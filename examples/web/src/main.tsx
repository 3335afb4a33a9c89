import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { readConnection } from './connection.ts';
import { createInventoryApi } from './inventory-api.ts';

const connection = readConnection(import.meta.env);
if (connection.isMocked) {
  const { startMock } = await import('./start-mock.ts');
  await startMock(connection.baseUrl, location.search);
}

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no element with the id root');
createRoot(root).render(
  <StrictMode>
    <App api={createInventoryApi(connection)} connection={connection} />
  </StrictMode>,
);
