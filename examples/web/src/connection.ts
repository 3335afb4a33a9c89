/** Where the inventory comes from. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Whether MSW answers in this page, so that no server is needed. */
  readonly isMocked: boolean;
}

/**
 * `VITE_INVENTORY_URL` chooses: `msw` (or nothing) for the mock in the page, or the base address of
 * the standalone mock or of the real service.
 */
export function readConnection(env: Readonly<Record<string, unknown>>): Connection {
  const { VITE_INVENTORY_URL: url, VITE_INVENTORY_KEY: key } = env;
  const isMocked = typeof url !== 'string' || url === '' || url === 'msw';
  return {
    baseUrl: isMocked ? '/v1' : url.replace(/\/+$/, ''),
    apiKey: typeof key === 'string' && key !== '' ? key : 'demo-key',
    isMocked,
  };
}
