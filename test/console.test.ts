import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findConsoleFiles } from '../src/cli/console-files.ts';
import { runVerification } from '../src/cli/run-verification.ts';
import { createSandboxes, type Sandboxes, type SandboxesOptions } from '../src/mock/sandboxes.ts';
import { startServer, type RunningServer } from '../src/server/http-server.ts';
import { launchChromium } from './chromium.ts';

const patiently = { timeout: 20_000 };

const consoleFiles = mkdtempSync(join(tmpdir(), 'stockcheck-console-'));

let browser: Browser;
let context: BrowserContext;
let page: Page;
let mock: Sandboxes;
let server: RunningServer;
/** What went wrong in the page, beside what a test expects. */
let problems: string[];

// A browser may have to be installed first.
beforeAll(async () => {
  const configFile = fileURLToPath(new URL('../console/vite.config.ts', import.meta.url));
  await build({ configFile, logLevel: 'error', build: { outDir: consoleFiles } });
  browser = await launchChromium();
}, 300_000);
afterAll(async () => {
  await browser.close();
  rmSync(consoleFiles, { recursive: true, force: true });
});

beforeEach(async () => {
  problems = [];
  context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(patiently.timeout);
  page = await context.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const { origin, search } = new URL(request.url());
    if (origin !== new URL(server.url).origin) problems.push(`asked ${origin}`);
    if (/key|token/i.test(search)) problems.push(`a key in the address: ${request.url()}`);
  });
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) problems.push(message.text());
  });
});
afterEach(async () => {
  await context.close();
  await server.close();
  await mock.close();
  if (problems.length > 0) throw new Error(problems.join('\n'));
});

interface Wish extends SandboxesOptions {
  readonly verify?: typeof runVerification;
  readonly port?: number;
  readonly adminToken?: string;
}

/** Starts a mock, and opens its console at a hash. */
async function openConsole(hash = '', wish: Wish = {}) {
  const { port = 0, adminToken, verify = runVerification, ...options } = wish;
  mock = await createSandboxes(options);
  server = await startServer({
    sandboxes: mock,
    port,
    consoleFiles,
    verify,
    ...(adminToken === undefined ? {} : { adminToken }),
  });
  await page.goto(addressOf(hash));
}

function addressOf(hash: string): string {
  return new URL(`/_stockcheck/${hash}`, server.url).href;
}

function call(method: string, path: string, body?: string, key = 'demo-key'): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
}

async function quantityOf(petId: bigint, sandbox = 'default'): Promise<bigint | undefined> {
  const items = await (await mock.get(sandbox)).items();
  return items.find((item) => item.petId === petId)?.quantity;
}

const grid = (): Locator => page.getByRole('grid');
const rowOf = (petId: string): Locator =>
  page.getByRole('row').filter({
    has: page.locator('.col-petid', { hasText: new RegExp(`^(?:changed )?${petId}$`) }),
  });
const cellOf = (petId: string, column: 'quantity' | 'status' | 'seed'): Locator =>
  rowOf(petId).locator(`.col-${column}`);
const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
const boxOf = (of: Locator): Promise<DOMRect> =>
  of.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);

async function edit(petId: string, text: string): Promise<void> {
  await cellOf(petId, 'quantity').click();
  await page.getByLabel(`Quantity of pet ${petId}`).fill(text);
  await page.keyboard.press('Enter');
}

const large = '9007199254740993';

test('edits quantities in place, exactly; says why an input is wrong; Escape cancels', async () => {
  await openConsole();
  await edit(large, '9007199254740995');
  await page.getByText(`Pet ${large} is saved.`).waitFor();
  expect(await quantityOf(9_007_199_254_740_993n)).toBe(9_007_199_254_740_995n);
  await cellOf(large, 'quantity').getByText('9,007,199,254,740,995').waitFor();
  await cellOf(large, 'seed').getByText('+9,007,199,254,740,991').waitFor();
  // The row shows it: nothing lies over the table.
  expect(await page.locator('.notice').count()).toBe(0);

  await edit('21', '1.5');
  await page.getByRole('alert').getByText('A whole number is needed').waitFor();
  await page.keyboard.press('Escape');
  expect(await quantityOf(21n)).toBe(140n);
  await cellOf('21', 'quantity').getByText('140').waitFor();
});

test('says what the server says when it refuses a quantity', async () => {
  await openConsole();
  await cellOf('21', 'quantity').click();
  await page.route('**/inventory/21', (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/json',
      body: '{"code":"invalid_request","message":"the quantity is too large","status":400}',
    }),
  );
  await page.getByLabel('Quantity of pet 21').fill('5');
  await page.keyboard.press('Enter');
  await page.getByText('Not saved: the quantity is too large.').waitFor();
  expect(await page.getByLabel('Quantity of pet 21').getAttribute('aria-invalid')).toBe('true');
});

test('changes a status, filters by it, finds a pet, and shows what differs from the seed', async () => {
  await openConsole();
  await cellOf('55', 'status').click();
  await page
    .getByRole('radiogroup', { name: 'Status of pet 55' })
    .getByRole('radio', { name: 'sold' })
    .click();
  await cellOf('55', 'seed').getByText('available').waitFor();
  expect((await mock.default.items()).find(({ petId }) => petId === 55n)?.status).toBe('sold');
  await button(/Changed only/).click();
  await expect.poll(() => grid().getAttribute('aria-rowcount'), patiently).toBe('2');
  await button(/Changed only/).click();
  await page.getByRole('radio', { name: /Pending 3/ }).check();
  await expect.poll(() => grid().getAttribute('aria-rowcount'), patiently).toBe('4');
  await page.getByLabel('Find pets by id').fill('34');
  await expect.poll(() => grid().getAttribute('aria-rowcount'), patiently).toBe('2');
  await page.getByLabel('Find pets by id').fill('35');
  await page.getByText('No pet matches').waitFor();
  await button('Clear filters').click();

  await button('Reset').click();
  await button('Reset stock').click();
  await cellOf('55', 'status').getByText('available').waitFor();
  expect(await mock.default.diff()).toEqual({ changed: [], added: [], removed: [] });
});

test('shows at once what clients change', async () => {
  await openConsole();
  await cellOf('5', 'quantity').getByText('7').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await call('PATCH', '/inventory/5', '{"quantity": 4321}');
  await cellOf('5', 'quantity').getByText('4,321').waitFor();
  expect(await rowOf('5').locator('.delta').innerText()).toBe('+4,314');
});

test('compares with the seed rightly, whatever changes while that is read', async () => {
  await openConsole('#/conformance');
  const petIds = ['5', '8'];
  await page.route('**/sandboxes/default/diff', async (route) => {
    const response = await route.fetch();
    const petId = petIds.shift();
    if (petId !== undefined) await call('PATCH', `/inventory/${petId}`, '{"quantity": 7777}');
    // The page hears of the second change before it can compare.
    if (petId === '8') await cellOf('8', 'quantity').getByText('7,777').waitFor();
    await route.fulfill({ response });
    if (petId === '8') await call('PATCH', '/inventory/12', '{"quantity": 7777}');
  });
  await page.goto(addressOf('#/sandboxes/default/stock'));
  await cellOf('12', 'seed').getByText('+7,776').waitFor();
  await cellOf('5', 'seed').getByText('+7,770').waitFor();
  await cellOf('8', 'seed').getByText('+7,752').waitFor();
  await button('Changed only 3').waitFor();
  expect(petIds).toEqual([]);
});

test('forgets what changed before a reset that comes while it reads', async () => {
  await openConsole('#/conformance');
  let readings = 0;
  await page.route('**/sandboxes/default/inventory', async (route) => {
    readings += 1;
    if (readings === 1) {
      await call('PATCH', '/inventory/5', '{"quantity": 7777}');
      await mock.default.reset();
      await call('PATCH', '/inventory/8', '{"quantity": 8888}');
    }
    await route.continue();
  });
  await page.goto(addressOf('#/sandboxes/default/stock'));
  await cellOf('8', 'quantity').getByText('8,888').waitFor();
  await cellOf('5', 'quantity').getByText('7', { exact: true }).waitFor();
  await button('Changed only 1').waitFor();
  expect(readings).toBe(2);
});

test('shows what came last, also where its own answer comes later', async () => {
  await openConsole();
  await rowOf('5').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.route('**/sandboxes/default/inventory/5', async (route) => {
    const response = await route.fetch();
    await call('PATCH', '/inventory/5', '{"quantity": 99}');
    await call('PATCH', '/inventory/8', '{"quantity": 4444}');
    await cellOf('8', 'quantity').getByText('4,444').waitFor();
    await route.fulfill({ response });
  });
  await edit('5', '41');
  await page.getByText('Pet 5 is saved.').waitFor();
  await cellOf('5', 'quantity').getByText('99', { exact: true }).waitFor();
  expect(await quantityOf(5n)).toBe(99n);
});

test('reads all anew where the server cannot tell what was missed', async () => {
  await openConsole('#/conformance');
  let streams = 0;
  let readings = 0;
  await page.route('**/sandboxes/default/events', async (route) => {
    streams += 1;
    // The second one stays open, and says nothing.
    if (streams > 1) return;
    await route.fulfill({
      contentType: 'text/event-stream',
      body: 'id: 1\nevent: replaced\ndata: {"type":"replaced","sandbox":"*"}\n\n',
    });
  });
  await page.route('**/sandboxes/default/inventory', (route) => {
    readings += 1;
    return route.continue();
  });
  await page.goto(addressOf('#/sandboxes/default/stock'));
  await rowOf('5').waitFor();
  await expect.poll(() => readings, patiently).toBe(2);
});

test('says when a sandbox expires', async () => {
  await openConsole();
  const { sandbox } = await mock.create({ name: 'Short', timeToLive: 2 });
  await page.goto(addressOf(`#/sandboxes/${sandbox.id}/stock`));
  await page.getByRole('heading', { name: 'Short', level: 1 }).waitFor();
  await page.getByRole('heading', { name: '“Short” is gone', level: 1 }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: /Short/ }).count(), patiently).toBe(0);
});

test('lists every sandbox, whichever is open, and those that others make', async () => {
  await openConsole();
  for (let place = 0; place < 230; place += 1) await mock.create({ name: `team ${place}` });
  const last = (await mock.list()).at(-1)?.id ?? '';
  await page.goto(addressOf(`#/sandboxes/${last}/stock`));
  await page.reload();
  await page.getByRole('heading', { name: 'team 229', level: 1 }).waitFor();
  const count = page.getByRole('heading', { name: 'Sandboxes 231' });
  await count.waitFor();
  const setSize = () => page.locator('.sandbox-links li').first().getAttribute('aria-setsize');
  await button('Load more').click();
  await button('Load more').click();
  await expect.poll(setSize, patiently).toBe('231');
  await count.waitFor();
  expect(await button('Load more').count()).toBe(0);

  await mock.create({ name: 'by somebody else' });
  await page.getByRole('heading', { name: 'Sandboxes 232' }).waitFor({ timeout: 10_000 });
  await expect.poll(setSize, patiently).toBe('232');
});

test('filters the whole journal of the server, also what the page does not hold', async () => {
  const limits = { exchanges: 2000, journalBytes: 16_777_216 };
  await openConsole('#/conformance', { limits });
  await call('PATCH', '/inventory/5', '{"quantity": 41}');
  for (let round = 0; round < 22; round += 1) {
    await Promise.all(Array.from({ length: 50 }, () => call('GET', '/inventory')));
  }
  await page.goto(addressOf('#/sandboxes/default/journal'));
  await page.locator('.exchange').first().waitFor();
  await page.getByLabel('Find exchanges by pet id').fill('5');
  await page.locator('.exchange').getByText('7 → 41').click();
  await page.locator('.facts').getByText('no. 1', { exact: true }).waitFor();
  await page.getByLabel('Find exchanges by pet id').fill('x');
  await page.getByText('No exchange matches').waitFor();
  expect(await page.locator('.exchange').count()).toBe(0);
});

test('shows calmly that it could judge a part only', async () => {
  const inventory = Array.from({ length: 500 }, (_, place) => ({
    petId: place,
    quantity: place,
    status: 'available' as const,
  }));
  await openConsole('#/sandboxes/default/journal', { fixture: { inventory } });
  await call('GET', '/inventory');
  const exchange = page.locator('.exchange');
  await exchange.locator('.verdict-partly').waitFor();
  await exchange.click();
  await page.getByRole('heading', { name: 'Judged in part' }).waitFor();
  await page
    .locator('.findings')
    .getByText(/only the beginning of the response's body/)
    .waitFor();
  expect(await page.locator('.verdict-inconclusive').count()).toBe(0);
});

test('says calmly that a part of the journal is missing, and reads it again', async () => {
  await openConsole('#/conformance');
  await call('GET', '/inventory');
  let isPartial = true;
  await page.route('**/sandboxes/default/journal?*', async (route) => {
    const response = await route.fetch();
    const found = (await response.json()) as object;
    await route.fulfill({ response, json: isPartial ? { ...found, isPartial } : found });
  });
  const missing = page.getByRole('status').getByText('Part of the journal is missing');
  await page.goto(addressOf('#/sandboxes/default/journal'));
  await missing.waitFor();
  await page.locator('.exchange').waitFor();
  isPartial = false;
  await button('Read again').click();
  await missing.waitFor({ state: 'detached' });
  isPartial = true;
  await page.getByLabel('Verdict').selectOption('pass');
  await missing.waitFor();
  expect(await page.locator('.exchange').count()).toBe(1);
});

test('tells an exchange by its moment where its sequence is long', async () => {
  await openConsole('#/conformance');
  await call('GET', '/inventory');
  await page.route('**/sandboxes/default/journal?*', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('"sequence":1,', '"sequence":459012345678901,');
    await route.fulfill({ response, body });
  });
  await page.goto(addressOf('#/sandboxes/default/journal'));
  await page.locator('.exchange').click();
  await page
    .locator('.facts')
    .getByText(/^at \d\d:\d\d:\d\d\.\d{3}$/)
    .waitFor();
  expect(await page.locator('.facts').getByText('no. ').count()).toBe(0);
  await page.goto(addressOf('#/sandboxes/default/journal/459012345678902'));
  await page.getByText('This exchange is not in the journal').waitFor();
});

test('has no curl line for a request that the journal does not hold whole', async () => {
  await openConsole('#/sandboxes/default/journal');
  await page.evaluate(() => navigator.clipboard.writeText('as before'));
  const tryToCopy = async (sequence: number, reason: RegExp): Promise<void> => {
    await page.locator(`.exchange[href$="/${sequence}"]`).click();
    await page.getByText(reason).waitFor();
    const copy = button('Copy as curl');
    expect(await copy.getAttribute('aria-disabled')).toBe('true');
    await copy.focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('as before');
    await page.getByRole('link', { name: 'Back to the list' }).click();
  };
  await call('PATCH', '/inventory/5', `{"quantity": 5, "note": "${'x'.repeat(5000)}"}`);
  await tryToCopy(1, /only the beginning of this body of 4\.9 KiB/);
  await call('PATCH', '/inventory/5', '{"quantity": 5, "note": "demo-key"}');
  await tryToCopy(2, /hides what of this request repeats a key/);
  await fetch(`${server.url}/inventory/5`, {
    method: 'PATCH',
    headers: { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' },
    body: new Uint8Array([0x22, 0xff, 0x22]),
  });
  await tryToCopy(3, /not text in UTF-8/);
});

test('stays where one reads while exchanges come in, and clears a list that is paused', async () => {
  await openConsole('#/sandboxes/default/journal');
  for (let place = 0; place < 60; place += 1) await call('GET', `/pets/${place}`);
  await page.locator('.exchange', { hasText: '/pets/59' }).waitFor();
  const list = page.locator('.journal-list');
  await list.evaluate((element) => element.scrollTo({ top: 52 * 30 }));
  const read = page.locator('.exchange', { hasText: '/pets/25' });
  const before = await read.boundingBox();
  await call('GET', '/inventory');
  await page.locator('li[aria-setsize="61"]').first().waitFor();
  await expect.poll(() => read.boundingBox(), patiently).toEqual(before);

  await button('Pause').click();
  await button('Clear').click();
  await button('Clear journal').click();
  await page.getByText('Nothing was asked yet').waitFor();
});

test('says first of an exchange that a fault hit it, and that it breaks on purpose', async () => {
  await openConsole('#/sandboxes/default/journal');
  await mock.default.addFault({ fault: { kind: 'unavailable', status: 503 } });
  await call('GET', '/inventory');
  const exchange = page.locator('.exchange');
  await exchange.getByText('the mock was told to answer').waitFor();
  await exchange.click();
  await page.getByRole('heading', { name: 'Breaks the contract, on purpose' }).waitFor();
  const [fault, verdict] = await Promise.all([
    page.locator('.outcome').boundingBox(),
    page.locator('.verdict-note').boundingBox(),
  ]);
  expect(fault?.y).toBeLessThan(verdict?.y ?? 0);
});

test('tells sandboxes of one name apart', async () => {
  await openConsole();
  const { sandbox } = await mock.create({ fixture: 'default' });
  await mock.create({ name: 'Checkout' });
  await page.reload();
  await page.getByRole('link', { name: new RegExp(`^default ${sandbox.id} 12 pets`) }).waitFor();
  expect(await page.locator('.sandbox-id').count()).toBe(1);
});

test('compares again where it could not, on demand', async () => {
  await openConsole('#/sandboxes/default/snapshots');
  await page.getByText('No difference').waitFor();
  await page.route('**/sandboxes/default/diff', (route) => route.abort());
  await call('PATCH', '/inventory/5', '{"quantity": 50}');
  await page.getByText('The comparison cannot be read').waitFor();
  await page.unroute('**/sandboxes/default/diff');
  await button('Try again').click();
  await page.getByRole('region', { name: 'Differences' }).getByText('+43').waitFor();
  expect(await page.getByText('The comparison cannot be read').count()).toBe(0);
});

test('has room for every int64, and its parts in line', async () => {
  const inventory = ['9223372036854775807', '-9223372036854775808'].map((text) => ({
    petId: BigInt(text),
    quantity: BigInt(text),
    status: 'available' as const,
  }));
  await openConsole('', { fixture: { inventory } });
  const cells = page.locator('.grid-body :is(.col-petid, .editable)');
  const findCut = () =>
    cells.evaluateAll((elements) =>
      elements
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map((element) => element.textContent),
    );
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 700 });
    await cells.first().waitFor();
    expect(await findCut()).toEqual([]);
    const search = await boxOf(page.getByLabel('Find pets by id'));
    expect((await boxOf(button('Reset'))).y).toBe(search.y);
    const foot = await boxOf(page.locator('.sidebar-foot'));
    const theme = await boxOf(page.getByRole('radiogroup', { name: 'Theme' }));
    expect(theme.right).toBeLessThan(foot.right - 8);
  }
});

test('takes a choice back that the server refuses', async () => {
  await openConsole('#/sandboxes/default/policy');
  await page.route('**/sandboxes/default', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 500, body: '{"message":"the disk is full"}' })
      : route.continue(),
  );
  const group = page.getByRole('group', { name: /not declared as application/ });
  // Not `check`, which insists that it stays checked.
  await group.getByLabel('415').click();
  await page.getByText('content-type is not changed: the disk is full.').waitFor();
  await expect.poll(() => group.getByLabel('400').isChecked(), patiently).toBe(true);
  await page.goto(addressOf('#/sandboxes/default/faults'));
  await page.getByRole('radio', { name: 'black friday' }).click();
  await page.getByText('The scenario is not changed: the disk is full.').waitFor();
  await expect
    .poll(() => page.getByRole('radio', { name: 'None' }).isChecked(), patiently)
    .toBe(true);
});

test('makes no sandbox of a policy or a file that is wrong, and says what is', async () => {
  await openConsole();
  await button('New sandbox').click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('summary').click();
  // What makes it stays in sight, however long the form is.
  const foot = await boxOf(button('Create sandbox'));
  expect(foot.bottom).toBeLessThan((await boxOf(dialog)).bottom);
  await page.getByLabel('Which quantities may an update set?').fill('ten');
  await button('Create sandbox').click();
  await dialog.getByText(/Not created: quantity-range: Bounds/).waitFor();
  await page.getByLabel('Which quantities may an update set?').fill('');
  await page.getByLabel('Fixture', { exact: true }).selectOption('a file…');
  const choose = (content: string) =>
    page.getByLabel('Fixture file').setInputFiles({
      name: 'pets.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    });
  await choose('{');
  await dialog.getByText(/pets\.json is no fixture: .*line 1/).waitFor();
  await button('Create sandbox').click();
  await choose('[{"petId": 1, "quantity": "x", "status": "sold"}]');
  await button('Create sandbox').click();
  await dialog.getByText(/Not created: .*expected an integer; got the string/).waitFor();
  expect((await mock.list()).length).toBe(1);
  await choose(`[{"petId": ${large}, "quantity": 1, "status": "sold"}]`);
  await button('Create sandbox').click();
  await button('Open sandbox').click();
  await cellOf(large, 'quantity').getByText('1', { exact: true }).waitFor();
});

test('never says of a run that judged nothing that all passed', async () => {
  await openConsole('#/conformance', {
    verify: () => Promise.reject(new Error('no room')),
  });
  await button('Run the case table').click();
  await page.getByText('the verification could not be run: no room.').waitFor();
  await page.getByText('No case was judged.').waitFor();
  await page.route('**/verifications', (route) =>
    route.fulfill({
      contentType: 'application/x-ndjson',
      body: '{"type":"start","subjects":2}\n',
    }),
  );
  await button('Run the case table').click();
  await page.getByText('the run broke off before its end').waitFor();
  await page.getByText('No case was judged.').waitFor();
  expect(await page.getByText(/passed\.$/).count()).toBe(0);
});

test('keeps few rows for ten thousand pets, and all of them within reach of the keyboard', async () => {
  const inventory = Array.from({ length: 10_000 }, (_, place) => ({
    petId: place + 1,
    quantity: place,
    status: 'available' as const,
  }));
  await openConsole('', { fixture: { inventory } });
  await page.locator('[aria-rowindex="2"]').waitFor();
  expect(await grid().getAttribute('aria-rowcount')).toBe('10001');
  const counts: number[] = [];
  for (let top = 0; top <= 340_000; top += 34_000) {
    await page.locator('.grid-body').evaluate((body, to) => body.scrollTo({ top: to }), top);
    const first = Math.min(Math.floor(top / 34), 9_985) + 2;
    await page.locator(`[aria-rowindex="${first + 4}"]`).waitFor();
    counts.push(await page.locator('.grid-body [role=row]').count());
  }
  expect(Math.max(...counts)).toBeLessThan(60);

  await page.locator('[role=gridcell][tabindex="0"]').focus();
  await page.keyboard.press('Control+End');
  await page.locator('[aria-rowindex="10001"] .col-seed:focus').waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  await page.locator('[aria-rowindex="10000"] .col-petid:focus').waitFor();
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Control+Home');
  await page.locator('[aria-rowindex="2"] .col-petid:focus').waitFor();
});

test('works by keyboard alone', async () => {
  await openConsole();
  await rowOf('13').waitFor();
  const tab = async (to: Locator): Promise<void> => {
    for (let presses = 0; presses < 40; presses += 1) {
      if (await to.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('the Tab key does not lead there');
  };
  await tab(page.locator('[role=gridcell][tabindex="0"]'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('33');
  await page.keyboard.press('Enter');
  await expect.poll(() => quantityOf(2n), patiently).toBe(33n);
  // The cell has the focus again.
  await page.locator('[aria-rowindex="3"] .col-quantity:focus').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.locator('[role=radio][aria-checked=true]:focus').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await cellOf('2', 'status').getByText('pending').waitFor();

  await page.keyboard.press('Shift+Tab');
  await tab(page.getByRole('link', { name: 'Conformance' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Conformance' }).waitFor();
});

test('makes a sandbox, shows its key once, and deletes it', async () => {
  await openConsole();
  await button('New sandbox').click();
  await page.getByLabel('Name', { exact: true }).fill('Checkout');
  await page.getByLabel('Fixture', { exact: true }).selectOption('edge');
  await page.getByLabel('Expires after').selectOption('3600');
  await page.getByRole('dialog').locator('summary').click();
  await page.getByLabel('What answers a petId that is not').selectOption('400');
  await button('Create sandbox').click();
  const key = await page.locator('.key code').innerText();
  expect(key).toMatch(/^sb-[a-z0-9]{32}$/);
  await button('Copy key').click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await button('Open sandbox').click();
  await page.getByRole('heading', { name: 'Checkout', level: 1 }).waitFor();
  expect(await page.content()).not.toContain(key);
  await page.getByText(/expires in (?:1 h|59 min)/).waitFor();
  expect((await call('PATCH', '/inventory/abc', '{"quantity": 1}', key)).status).toBe(400);

  await button('Delete').click();
  await button('Delete sandbox').click();
  await page.getByRole('heading', { name: 'default', level: 1 }).waitFor();
  expect((await call('GET', '/inventory', undefined, key)).status).toBe(401);
});

test('never mixes two sandboxes', async () => {
  await openConsole();
  const { sandbox, apiKey } = await mock.create({ name: 'Other', fixture: 'default' });
  await page.reload();
  await rowOf('5').waitFor();
  await call('PATCH', '/inventory/5', '{"quantity": 1111}', apiKey);
  await call('PATCH', '/inventory/8', '{"quantity": 2222}');
  await cellOf('8', 'quantity').getByText('2,222').waitFor();
  await cellOf('5', 'quantity').getByText('7', { exact: true }).waitFor();
  await page.getByRole('link', { name: /Other/ }).click();
  await page.getByRole('heading', { name: 'Other', level: 1 }).waitFor();
  await cellOf('5', 'quantity').getByText('1,111').waitFor();
  await cellOf('8', 'quantity').getByText('25', { exact: true }).waitFor();
  await edit('8', '3333');
  await cellOf('8', 'quantity').getByText('3,333').waitFor();
  expect(await quantityOf(8n)).toBe(2222n);
  expect(await quantityOf(8n, sandbox.id)).toBe(3333n);
  expect(await page.title()).toBe('Stock · Other · Stockcheck');
  // A reload stays where it was.
  await page.reload();
  await page.getByRole('heading', { name: 'Other', level: 1 }).waitFor();
});

test('finds a sandbox among many, and says when it is deleted elsewhere', async () => {
  await openConsole();
  for (let place = 0; place < 150; place += 1) await mock.create({ name: `team ${place}` });
  await page.reload();
  await page.getByLabel('Search sandboxes').fill('team 149');
  await page.getByRole('link', { name: /team 149/ }).click();
  await page.getByRole('heading', { name: 'team 149', level: 1 }).waitFor();
  expect(await page.locator('.sandbox-link').count()).toBe(1);
  await mock.delete((await mock.list()).at(-1)?.id ?? '');
  await page.getByRole('heading', { name: '“team 149” is gone', level: 1 }).waitFor();
});

test('switches scenarios; adds, counts and removes a rule', async () => {
  await openConsole();
  const created = await fetch(addressOf('sandboxes'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      apiKey: 'its-key',
      fixture: {
        inventory: [{ petId: 1, quantity: 1, status: 'available' }],
        scenarios: {
          closed: [{ operation: 'listInventory', fault: { kind: 'error', status: 401 } }],
        },
      },
    }),
  });
  const { id } = (await created.json()) as { id: string };
  await page.goto(addressOf(`#/sandboxes/${id}/faults`));
  await page.getByRole('radio', { name: 'closed' }).check();
  await page.getByText('The scenario “closed” is on.').waitFor();
  expect((await call('GET', '/inventory', undefined, 'its-key')).status).toBe(401);
  await page.getByRole('radio', { name: 'None' }).check();
  await page.getByText('No scenario is on.').waitFor();
  expect((await call('GET', '/inventory', undefined, 'its-key')).status).toBe(200);

  await page.getByLabel('What happens').selectOption('unavailable');
  await page.getByLabel('Retry-After, seconds').fill('7');
  await page.getByLabel('To which requests').selectOption('updateInventory');
  await page.getByLabel('Pet id').fill('x');
  await button('Add rule').click();
  await page.getByText('A whole number, such as 12.').waitFor();
  expect(await page.getByLabel('Pet id').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Pet id').fill('1');
  await button('Add rule').click();
  const rule = page.getByRole('row', { name: /answers 503, Retry-After 7/ });
  await rule.waitFor();
  const answer = await call('PATCH', '/inventory/1', '{"quantity": 2}', 'its-key');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '7']);
  await rule.getByRole('cell', { name: '1', exact: true }).last().waitFor();
  await button(/Remove the rule/).click();
  await page.getByText('Nothing is broken on purpose').waitFor();
  expect((await call('PATCH', '/inventory/1', '{"quantity": 2}', 'its-key')).status).toBe(200);
});

test('lists exchanges as they happen, with what they changed, and pauses', async () => {
  await openConsole('#/sandboxes/default/journal');
  await page.getByText('Nothing was asked yet').waitFor();
  await call('PATCH', '/inventory/5', `{"quantity": ${large}}`);
  await call('PATCH', '/inventory/5', '{"quantity": "5"}');
  await call('GET', '/inventory', undefined, 'wrong-key');
  const links = page.locator('.exchange');
  await expect.poll(() => links.count(), patiently).toBe(3);
  await page.getByLabel('Response status').selectOption('400');
  await expect.poll(() => links.count(), patiently).toBe(1);
  await links.click();
  await page.getByText('Refused because').waitFor();
  await page.locator('.outcome').getByText('quantity must be an integer').waitFor();
  await page.getByLabel('Response status').selectOption('');

  await links.last().click();
  await page.getByRole('region', { name: 'Body of the response' }).getByText(large).waitFor();
  await page.locator('.outcome').getByText('9,007,199,254,740,993').waitFor();
  await button('Pause').click();
  await call('GET', '/inventory');
  await button(/Resume 1 new/).click();
  await expect.poll(() => links.count(), patiently).toBe(4);
  // No key is on the page, whoever sent it.
  expect(await page.content()).not.toContain('wrong-key');
  await button('Clear').click();
  await button('Clear journal').click();
  await page.getByText('Nothing was asked yet').waitFor();
});

test('copies an exchange as a curl line that sends the same bytes', async () => {
  await openConsole('#/sandboxes/default/journal');
  const body = `{"quantity": 12,\n "note": "it's 100 % café \\\\ "}`;
  await call('PATCH', '/inventory/5', body);
  await page.locator('.exchange').click();
  await button('Copy as curl').click();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  expect(line).toContain('$API_KEY');
  await promisify(execFile)('sh', ['-c', line], {
    env: { ...process.env, API_KEY: 'demo-key' },
  });
  await expect.poll(() => page.locator('.exchange').count(), patiently).toBe(2);
  await page.locator('.exchange').first().click();
  await page.locator('.facts').getByText('no. 2').waitFor();
  const sent = page.getByRole('region', { name: 'Body of the request' });
  await sent.getByText(String.raw`it's 100 % café`).waitFor();
  await page
    .getByText(`${Buffer.byteLength(body)} B`)
    .first()
    .waitFor();

  await call('HEAD', '/inventory');
  await page.locator('.exchange[href$="/3"]').click();
  await page.locator('.facts').getByText('no. 3').waitFor();
  await button('Copy as curl').click();
  const head = await page.evaluate(() => navigator.clipboard.readText());
  await promisify(execFile)('sh', ['-c', head], { env: { ...process.env, API_KEY: 'demo-key' } });
  await page.locator('.exchange[href$="/4"]', { hasText: 'HEAD' }).waitFor();
});

test('asks for the contract again where it could not be read', async () => {
  await page.route('**/_stockcheck/contract', (route) => route.abort(), { times: 1 });
  await openConsole('#/sandboxes/default/policy');
  await page.getByText('The contract cannot be read: the server cannot be reached.').waitFor();
  await page.getByRole('group', { name: /not declared as application/ }).waitFor();
  expect(await page.locator('.decision').count()).toBeGreaterThan(9);
});

test('takes, compares, restores and deletes a snapshot, and exports', async () => {
  await openConsole('#/sandboxes/default/snapshots');
  await call('PATCH', '/inventory/5', '{"quantity": 50}');
  await page.getByLabel('Name of the snapshot').fill('before / after');
  await button('Take snapshot').click();
  await page.getByText('Snapshot “before / after” is taken.').waitFor();
  await call('PATCH', '/inventory/5', '{"quantity": 60}');
  const differences = page.getByRole('region', { name: 'Differences' });
  await differences.getByText('+53').waitFor();
  await button('Compare').click();
  await differences.getByText('+10').waitFor();
  await button('Restore').click();
  await button('Restore snapshot').click();
  await page.getByText('No difference').waitFor();
  expect(await quantityOf(5n)).toBe(50n);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button('Export as a fixture').click(),
  ]);
  expect(download.suggestedFilename()).toBe('default.json');
  expect(await readFile(await download.path(), 'utf8')).toContain(`"petId": ${large}`);
  await button('Delete snapshot before / after').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete snapshot' }).click();
  await page.getByText('No snapshot yet').waitFor();
});

test('shows every decision and changes the answers', async () => {
  await openConsole('#/sandboxes/default/policy');
  await page
    .getByRole('group', { name: /not declared as application/ })
    .getByLabel('415')
    .check();
  await page.getByText('content-type is changed.').waitFor();
  const answer = await fetch(`${server.url}/inventory/5`, {
    method: 'PATCH',
    headers: { Authorization: 'Bearer demo-key', 'Content-Type': 'text/plain' },
    body: '{"quantity": 5}',
  });
  expect(answer.status).toBe(415);
  const codes = page.getByRole('group', { name: /Which strings/ });
  await codes.getByRole('textbox').fill('not_found=E404');
  await codes.getByRole('button', { name: 'Save' }).click();
  await page.getByText('error-codes is changed.').waitFor();
  expect(await (await call('PATCH', '/inventory/4', '{"quantity": 1}')).text()).toContain('E404');
  await codes.getByRole('textbox').fill('');
  await codes.getByRole('button', { name: 'Save' }).click();
  const answered = async () => (await call('PATCH', '/inventory/4', '{"quantity": 1}')).text();
  await expect.poll(answered, patiently).toContain('"not_found"');
  const range = page.getByRole('group', { name: /Which quantities/ });
  await range.getByRole('textbox').fill('ten');
  await range.getByRole('button', { name: 'Save' }).click();
  await range.getByText('Bounds, such as').last().waitFor();
  await range.getByRole('textbox').fill(`0..${large}`);
  await range.getByRole('button', { name: 'Save' }).click();
  await page.getByText('quantity-range is changed.').waitFor();
  expect(mock.default.policy['quantity-range']).toEqual({
    minimum: 0n,
    maximum: 9_007_199_254_740_993n,
  });
  expect((await call('PATCH', '/inventory/5', '{"quantity": -1}')).status).toBe(400);
});

test('gives a sandbox the key that it is told', async () => {
  await openConsole();
  await button('New sandbox').click();
  await page.getByLabel('API key').fill('demo-key');
  await button('Create sandbox').click();
  await page.getByText(/Not created: .*the key opens another sandbox already/).waitFor();
  await page.getByLabel('API key').fill('for-friday');
  await button('Create sandbox').click();
  await page.locator('.key').getByText('for-friday').waitFor();
  expect((await call('GET', '/inventory', undefined, 'for-friday')).status).toBe(200);
});

test('says before a run that it will meet faults', async () => {
  await openConsole('#/conformance');
  const warning = page.getByText('1 fault is on in the sandbox default');
  await button('Run the case table').waitFor();
  expect(await warning.count()).toBe(0);
  await mock.default.addFault({ fault: { kind: 'hang' } });
  await page.reload();
  await warning.waitFor();
});

test('runs the case table against this mock, and the matrix fills in', async () => {
  await openConsole('#/conformance');
  await button('Run the case table').click();
  await page.getByText('It conforms.').waitFor({ timeout: 50_000 });
  await button(/updateInventory 400: (\d+) of \1 judged, \1 passed$/).waitFor();
  expect(await page.locator('.mark.is-fail').count()).toBe(1);
  // Nothing of the run is left.
  await expect.poll(async () => (await mock.list()).length, patiently).toBe(1);
});

test('runs the case table against the sandbox that one came from, or another', async () => {
  const asked: unknown[] = [];
  await openConsole('', { verify: () => Promise.reject(new Error('that is enough')) });
  const [one, other] = [
    await mock.create({ name: 'Checkout' }),
    await mock.create({ name: 'Demo' }),
  ];
  await other.sandbox.addFault({ fault: { kind: 'hang' } });
  page.on('request', (request) => {
    if (request.url().endsWith('/verifications')) asked.push(request.postDataJSON());
  });
  const run = async (name: string): Promise<void> => {
    await button('Run the case table').click();
    await page.getByText('that is enough').waitFor();
    await button('Run the case table').waitFor();
    expect(await page.getByLabel('Sandbox', { exact: true }).inputValue()).toBe(name);
  };
  await page.reload();
  await page.getByRole('link', { name: 'Conformance' }).click();
  await run('default');
  await page.getByRole('link', { name: /Checkout/ }).click();
  await page.getByRole('heading', { name: 'Checkout', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Conformance' }).click();
  await run(one.sandbox.id);
  await page.getByLabel('Sandbox', { exact: true }).selectOption('Demo');
  await page.getByText('1 fault is on in the sandbox Demo').waitFor();
  await page.reload();
  await run(other.sandbox.id);
  expect(asked).toEqual(
    ['default', one.sandbox.id, other.sandbox.id].map((sandbox) => ({ sandbox })),
  );
});

test('runs it against a URL, and shows what was expected and received', async () => {
  await openConsole('#/conformance');
  const other = await createSandboxes({ fixture: 'default', apiKeys: ['its-key'] });
  await other.default.addFault({
    operation: 'updateInventory',
    fault: { kind: 'wrong-content-type' },
  });
  const provider = await startServer({ sandboxes: other, port: 0, admin: false });
  await page.getByRole('radio', { name: 'A URL' }).check();
  await page.getByLabel('Base URL').fill(provider.url);
  const key = page.getByLabel('API key');
  expect(await key.getAttribute('type')).toBe('password');
  await key.fill('its-key');
  await button('Run the case table').click();
  await page.getByText('It breaks the contract.').waitFor({ timeout: 50_000 });
  const finding = page.locator('.result.is-fail').first();
  await finding.getByText('expected', { exact: true }).first().waitFor();
  await finding.getByRole('button', { name: /curl/ }).first().click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('$API_KEY');
  await button(/updateInventory 200/).click();
  await page.getByRole('heading', { name: /updateInventory 200/ }).waitFor();
  const stored = await page.evaluate(() =>
    [localStorage, sessionStorage, location.href].map((it) => JSON.stringify(it)).join(),
  );
  expect(stored).not.toContain('its-key');
  await provider.close();
  await other.close();
});

test('stops a run', async () => {
  await openConsole('#/conformance');
  const other = await createSandboxes({ fixture: 'default' });
  await other.default.addFault({ fault: { kind: 'delay', milliseconds: 200 } });
  const provider = await startServer({ sandboxes: other, port: 0, admin: false });
  await page.getByRole('radio', { name: 'A URL' }).check();
  await page.getByLabel('Base URL').fill(provider.url);
  await page.getByLabel('API key').fill('demo-key');
  await button('Run the case table').click();
  await page.locator('.cell .mark.is-pass').first().waitFor();
  await button('Stop').click();
  await page.getByText('Stopped before its end').waitFor();
  expect(await page.locator('.mark:not([class*=is-])').count()).toBeGreaterThan(1);
  await provider.close();
  await other.close();
});

test('holds one connection, however many sandboxes are opened', async () => {
  await openConsole();
  for (let place = 0; place < 8; place += 1) {
    const { sandbox } = await mock.create({ name: `visit ${place}` });
    await page.evaluate((id) => {
      location.hash = `#/sandboxes/${id}/stock`;
    }, sandbox.id);
    await page.getByRole('heading', { name: `visit ${place}`, level: 1 }).waitFor();
    // A browser has six connections for a server: more streams would leave none for this.
    await page.getByText('Live', { exact: true }).waitFor();
    await edit('5', `${100 + place}`);
    await page.getByText('Pet 5 is saved.').last().waitFor();
    expect(await quantityOf(5n, sandbox.id)).toBe(BigInt(100 + place));
  }
});

test('rests while nobody sees it, and knows then what it missed', async () => {
  await openConsole();
  await page.getByText('Live', { exact: true }).waitFor();
  const setHidden = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  let readings = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/default/inventory')) readings += 1;
  });
  await setHidden(true);
  await page.getByText('Paused', { exact: true }).waitFor();
  await call('PATCH', '/inventory/5', '{"quantity": 4321}');
  await setHidden(false);
  await cellOf('5', 'quantity').getByText('4,321').waitFor();
  // The server told what was missed: nothing had to be read anew.
  expect(readings).toBe(0);
});

test('asks for the token of a server, keeps it for the tab, and goes on', async () => {
  await openConsole('', { adminToken: 'the-token' });
  const token = page.getByLabel('Admin token');
  await token.fill('a-wrong-one');
  await button('Continue').click();
  await page.getByText('The server did not take this token.').waitFor();
  // There is nothing behind the question.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await token.fill('the-token');
  await button('Continue').click();
  await cellOf('5', 'quantity').getByText('7').waitFor();
  await call('PATCH', '/inventory/5', '{"quantity": 71}');
  await cellOf('5', 'quantity').getByText('71').waitFor();
  await page.reload();
  await cellOf('5', 'quantity').getByText('71').waitFor();
  expect(page.url()).not.toContain('token');
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('token');
});

test('says that it lost the server, and comes back to what is true by then', async () => {
  await openConsole();
  await page.getByText('Live', { exact: true }).waitFor();
  await call('PATCH', '/inventory/5', '{"quantity": 51}');
  await cellOf('5', 'quantity').getByText('51').waitFor();
  const { port } = server;
  await server.close();
  await page.getByText('Reconnecting…').waitFor();
  mock = await createSandboxes();
  server = await startServer({ sandboxes: mock, port, consoleFiles });
  await page.getByText('Live', { exact: true }).waitFor();
  await cellOf('5', 'quantity').getByText('7', { exact: true }).waitFor();
  expect(await page.getByText('Reconnecting…').count()).toBe(0);
});

test('follows the theme of the system, and the switch', async () => {
  await openConsole();
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await background();
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await background();
  expect(dark).not.toBe(light);
  await page.getByRole('radio', { name: 'Dark' }).check();
  expect(await background()).toBe(dark);
  await page.reload();
  await expect.poll(background, patiently).toBe(dark);
});

test.for(['light', 'dark'] as const)('is accessible in every view, %s', async (colorScheme) => {
  await openConsole('#/sandboxes/default/stock');
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await mock.default.snapshot('before');
  await mock.default.addFault({ fault: { kind: 'delay', milliseconds: 1 } });
  const expectAccessible = async (view: string): Promise<void> => {
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
    const serious = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${view}: ${id} ${target.join(' ')}`));
    expect(serious).toEqual([]);
  };
  await rowOf('5').waitFor();
  await call('PATCH', '/inventory/5', '{"quantity": 51}');
  await call('PATCH', '/inventory/5', '{"quantity": "x"}');
  await cellOf('5', 'quantity').getByText('51').waitFor();
  await expectAccessible('stock');
  await edit('5', 'x');
  await expectAccessible('a wrong quantity');
  await page.keyboard.press('Escape');
  await cellOf('8', 'status').click();
  await expectAccessible('a status being chosen');
  await page.keyboard.press('Escape');
  for (const view of ['journal', 'faults', 'snapshots', 'policy'] as const) {
    await page.goto(addressOf(`#/sandboxes/default/${view}`));
    await page.locator('.view:not(.stock)').waitFor();
    if (view === 'journal') await page.locator('.exchange').first().click();
    if (view === 'snapshots') await page.getByRole('region', { name: 'Differences' }).waitFor();
    await expectAccessible(view);
  }
  await button('New sandbox').click();
  await expectAccessible('new sandbox');
  await button('Create sandbox').click();
  await page.locator('.key').waitFor();
  await expectAccessible('the key of a sandbox');
  await page.keyboard.press('Escape');
  await button('Settings').click();
  await expectAccessible('settings');
  await page.keyboard.press('Escape');
  await page.goto(addressOf('#/sandboxes/nobody/stock'));
  await page.getByText(/There is no sandbox/).waitFor();
  await expectAccessible('no sandbox');
  await page.goto(addressOf('#/conformance'));
  await button(/updateInventory 200/).waitFor();
  await expectAccessible('conformance before a run');
  await button('Run the case table').click();
  await page.getByText(/It conforms|could not be judged|breaks/).waitFor({ timeout: 50_000 });
  await expectAccessible('conformance');
});

test('fits into 400 pixels', async () => {
  await openConsole();
  await page.setViewportSize({ width: 400, height: 800 });
  for (const view of ['stock', 'journal', 'faults', 'snapshots', 'policy'] as const) {
    await page.goto(addressOf(`#/sandboxes/default/${view}`));
    await page.locator('.view').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
  }
  await page.goto(addressOf('#/sandboxes/default/journal/77'));
  await page.getByText('Exchange 77 is not in the journal').waitFor();
  await page.getByRole('link', { name: 'All exchanges' }).click();
  await page.getByText('Nothing was asked yet').waitFor();
  await button('Sandboxes').click();
  await button('New sandbox').click();
  await button('Create sandbox').click();
  await button('Open sandbox').click();
  // The menu is out of the way.
  await page.getByRole('heading', { name: 'default', level: 1 }).waitFor();
  await button('Sandboxes').click();
  await page.getByRole('link', { name: 'Conformance' }).click();
  await button('Run the case table').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
});

test('is small: what a page loads is below 60 kB, compressed', async () => {
  await openConsole();
  const files = [
    'index.html',
    ...(await readdir(join(consoleFiles, 'assets'))).map((name) => join('assets', name)),
  ];
  const sizes = await Promise.all(
    files.map(async (name) => gzipSync(await readFile(join(consoleFiles, name))).length),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
});

test('is built and served by the repository, without a build by hand', async () => {
  mock = await createSandboxes();
  server = await startServer({ sandboxes: mock, port: 0, consoleFiles: findConsoleFiles });
  // Another test may build the package at this moment.
  await expect
    .poll(async () => (await fetch(addressOf(''))).text(), patiently)
    .toContain('<title>Stockcheck</title>');
});
