import { createInventoryMock, inventoryHandlers } from 'stockcheck/msw';
import { network } from 'virtual:msw';

const failures = [400, 401, 404] as const;

/**
 * Lets MSW answer in this page, as the standalone mock would.
 *
 * @param query of the page: `?fail=404` refuses the next update, to see what the page makes of it
 */
export async function startMock(baseUrl: string, query: string): Promise<void> {
  const mock = createInventoryMock();
  const status = failures.find((known) => String(known) === new URLSearchParams(query).get('fail'));
  if (status !== undefined) mock.next('updateInventory', { status });
  network.configure({ handlers: [...inventoryHandlers({ mock, baseUrl, delay: 150 })] });
  await network.enable();
}
