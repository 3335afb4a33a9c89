import { inventoryHandlers } from 'stockcheck/msw';
import { network } from 'virtual:msw';

/** Lets MSW answer in this page, as the standalone mock would. */
export async function startMock(baseUrl: string): Promise<void> {
  network.configure({ handlers: [...inventoryHandlers({ baseUrl, delay: 150 })] });
  await network.enable();
}
