import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { serveSandboxes, type ServedSandboxes } from './admin-server.ts';
import { launchChromium } from './chromium.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium(
    // Whoever owns the name evil.test lets it lead to this machine: DNS rebinding.
    '--host-resolver-rules=MAP evil.test 127.0.0.1',
    // What newer browsers keep from this machine by themselves, older ones let through.
    '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
  );
});

afterAll(() => browser.close());

/** What a service worker of the other page tries, and tells. */
const foreignWorker = `
  addEventListener('message', (event) => {
    const attempt = (init) => fetch(event.data, init).then(({ type }) => type, () => 'failed');
    Promise.all([
      attempt({}),
      attempt({ mode: 'no-cors' }),
      attempt({ method: 'POST', mode: 'no-cors' }),
    ]).then((tried) => event.ports[0].postMessage(tried));
  });
`;

/** Serves an empty page, and a service worker, from another port: another origin. */
async function serveForeignPage(): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/worker.js') {
      outgoing.writeHead(200, { 'Content-Type': 'text/javascript' }).end(foreignWorker);
      return;
    }
    outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><body></body>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function openPage(url: string): Promise<Page> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(url);
  return page;
}

/** All that a page can do to reach an address. Each says what it got, and nothing where nothing. */
async function attack(page: Page, admin: string): Promise<Record<string, unknown>> {
  return page.evaluate(async (base) => {
    const attempt = async (path: string, init: RequestInit): Promise<unknown> => {
      try {
        const response = await fetch(base + path, init);
        const { type, status } = response;
        return { type, status, text: await response.text() };
      } catch {
        return 'failed';
      }
    };
    const item = [{ petId: 666, quantity: 1, status: 'sold' }];
    const json = {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(item),
    };
    const plain = { headers: { 'Content-Type': 'text/plain' }, body: JSON.stringify(item) };
    const heard = await new Promise<unknown>((resolve) => {
      const events = new EventSource(`${base}/events`);
      events.addEventListener('open', () => resolve('open'));
      events.addEventListener('error', () => {
        events.close();
        resolve('failed');
      });
    });
    const loadScript = (path: string): Promise<unknown> =>
      new Promise((resolve) => {
        const script = document.createElement('script');
        script.src = base + path;
        script.addEventListener('load', () => resolve('loaded'));
        script.addEventListener('error', () => resolve('failed'));
        document.body.append(script);
      });
    const submitForm = (path: string, encoding: string): Promise<unknown> =>
      new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.name = `frame-${encoding}`;
        document.body.append(frame);
        const form = document.createElement('form');
        form.action = base + path;
        form.method = 'POST';
        form.enctype = encoding;
        form.target = frame.name;
        const field = document.createElement('input');
        field.name = '{"name":"x';
        field.value = '"}';
        form.append(field);
        document.body.append(form);
        frame.addEventListener('load', () => resolve('sent'));
        form.submit();
      });
    return {
      read: await attempt('/sandboxes', {}),
      readWithoutCors: await attempt('/sandboxes', { mode: 'no-cors' }),
      readInventory: await attempt('/sandboxes/default/inventory', {}),
      readDocument: await attempt('/openapi.json', {}),
      write: await attempt('/sandboxes/default/inventory', { method: 'PUT', ...json }),
      writeAsText: await attempt('/sandboxes', { method: 'POST', ...plain, mode: 'no-cors' }),
      create: await attempt('/sandboxes', { method: 'POST', mode: 'no-cors' }),
      reset: await attempt('/sandboxes/default/reset', { method: 'POST', mode: 'no-cors' }),
      state: await attempt('/states', { method: 'POST', ...plain, mode: 'no-cors' }),
      remove: await attempt('/sandboxes/default/faults', { method: 'DELETE' }),
      withToken: await attempt('/sandboxes', { headers: { Authorization: 'Bearer x' } }),
      events: heard,
      script: await loadScript('/sandboxes'),
      form: await submitForm('/sandboxes', 'application/x-www-form-urlencoded'),
      textForm: await submitForm('/sandboxes', 'text/plain'),
    };
  }, admin);
}

async function expectUntouched({ sandboxes }: ServedSandboxes): Promise<void> {
  expect(await sandboxes.list()).toHaveLength(1);
  expect(await sandboxes.default.faults()).toHaveLength(1);
  expect((await sandboxes.default.items())[0]?.quantity).toBe(4711n);
  expect(await sandboxes.default.count()).toBe(12);
}

/** A sandbox in which a reset and a deleted fault would be seen. */
async function serveTouchable(): Promise<ServedSandboxes> {
  const served = await serveSandboxes();
  await served.sandboxes.default.update(1n, { quantity: 4711n });
  await served.sandboxes.default.addFault({ nth: 1_000_000, fault: { kind: 'reset' } });
  return served;
}

test('a page of another origin can neither read nor write', async () => {
  const served = await serveTouchable();
  const foreign = await serveForeignPage();
  // Another port of this machine, and another site altogether.
  for (const origin of [`http://127.0.0.1:${foreign}`, `http://evil.test:${foreign}`]) {
    const page = await openPage(origin);
    const admin = `http://127.0.0.1:${served.server.port}/_stockcheck`;
    expect(await attack(page, admin)).toEqual({
      read: 'failed',
      readWithoutCors: 'failed',
      readInventory: 'failed',
      readDocument: 'failed',
      write: 'failed',
      writeAsText: 'failed',
      create: 'failed',
      reset: 'failed',
      state: 'failed',
      remove: 'failed',
      withToken: 'failed',
      events: 'failed',
      script: 'failed',
      form: 'sent',
      textForm: 'sent',
    });
    await expectUntouched(served);
  }
});

test('neither sockets nor beacons, elements, frames without origin, workers nor popups get through', async () => {
  const served = await serveTouchable();
  const page = await openPage(`http://127.0.0.1:${await serveForeignPage()}`);
  const address = `127.0.0.1:${served.server.port}/_stockcheck`;
  const tried = await page.evaluate(async (place) => {
    const base = `http://${place}`;
    // It runs in the page, which knows nothing of what is outside.
    // oxlint-disable-next-line consistent-function-scoping
    const outcome = (target: EventTarget, good: string): Promise<string> =>
      new Promise((resolve) => {
        target.addEventListener(good, () => resolve(good));
        target.addEventListener('error', () => resolve('failed'));
      });
    const load = <Name extends 'img' | 'link' | 'audio' | 'object' | 'script'>(
      name: Name,
      given: Partial<HTMLElementTagNameMap[Name]>,
      good = 'load',
    ): Promise<string> => {
      const element = Object.assign(document.createElement(name), given);
      const ended = outcome(element, good);
      document.body.append(element);
      return ended;
    };
    const inSandbox = new Promise((resolve) => {
      addEventListener('message', ({ data }) => resolve(data));
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts');
      frame.srcdoc = `<script>
        const tell = (told) => parent.postMessage(told, '*');
        const write = { method: 'POST', mode: 'no-cors' };
        fetch('${base}/sandboxes', write).then(({ type }) => tell(type), () => tell('failed'));
      </script>`;
      document.body.append(frame);
    });
    const inWorker = async (): Promise<unknown> => {
      await navigator.serviceWorker.register('/worker.js');
      const { active } = await navigator.serviceWorker.ready;
      const { port1, port2 } = new MessageChannel();
      const told = new Promise((resolve) => {
        port1.addEventListener('message', ({ data }) => resolve(data));
        port1.start();
      });
      active?.postMessage(`${base}/sandboxes`, [port2]);
      return told;
    };
    navigator.sendBeacon(`${base}/sandboxes`, '{"name":"beacon"}');
    navigator.sendBeacon(`${base}/sandboxes/default/reset`);
    return {
      socket: await outcome(new WebSocket(`ws://${place}/events`), 'open'),
      image: await load('img', { src: `${base}/sandboxes` }),
      style: await load('link', { rel: 'stylesheet', href: `${base}/sandboxes` }),
      audio: await load('audio', { src: `${base}/sandboxes` }, 'canplay'),
      object: await load('object', { data: `${base}/sandboxes` }),
      module: await load('script', { type: 'module', src: `${base}/openapi.json` }),
      inSandbox: await inSandbox,
      inWorker: await inWorker(),
    };
  }, address);
  expect(tried).toEqual({
    socket: 'failed',
    image: 'failed',
    style: 'failed',
    audio: 'failed',
    object: 'failed',
    module: 'failed',
    inSandbox: 'failed',
    inWorker: ['failed', 'failed', 'failed'],
  });
  const opened = page.context().waitForEvent('page');
  const isShut = await page.evaluate((url) => {
    const popup = window.open(url);
    try {
      return popup?.document.body.textContent === '';
    } catch {
      return true;
    }
  }, `http://${address}/sandboxes`);
  expect(isShut).toBe(true);
  const popup = await opened;
  await popup.waitForLoadState();
  expect(await popup.content()).toContain('the request comes from a page of another origin');
  await popup.close();
  await expectUntouched(served);
});

test('a page whose name was made to lead here can neither read nor write', async () => {
  const served = await serveTouchable();
  const rebound = `http://evil.test:${served.server.port}`;
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  // What the attacker's own server sent before the name was made to lead elsewhere.
  const body = '<!doctype html><body></body>';
  await page.route(`${rebound}/attack`, (route) =>
    route.fulfill({ contentType: 'text/html', body }),
  );
  await page.goto(`${rebound}/attack`);
  const refused = {
    type: 'basic',
    status: 403,
    text: expect.stringContaining('the Host of the request is not this machine'),
  };
  expect(await attack(page, `${rebound}/_stockcheck`)).toEqual({
    read: refused,
    readWithoutCors: refused,
    readInventory: refused,
    readDocument: refused,
    write: refused,
    writeAsText: refused,
    create: refused,
    reset: refused,
    state: refused,
    remove: refused,
    withToken: refused,
    events: 'failed',
    script: 'failed',
    form: 'sent',
    textForm: 'sent',
  });
  await expectUntouched(served);
});

test('a page of the server itself can read and write', async () => {
  const served = await serveTouchable();
  const page = await openPage(`http://127.0.0.1:${served.server.port}/_stockcheck/`);
  const status = await page.evaluate(async () => {
    const headers = { 'Content-Type': 'application/json' };
    const body = '{"quantity":5}';
    const path = '/_stockcheck/sandboxes/default/inventory/1';
    return (await fetch(path, { method: 'PATCH', headers, body })).status;
  });
  expect(status).toBe(200);
  expect((await served.sandboxes.default.items())[0]?.quantity).toBe(5n);
});

test('a link on another page leads to the console, which no frame shows', async () => {
  const served = await serveTouchable();
  const page = await openPage(`http://127.0.0.1:${await serveForeignPage()}`);
  const url = `http://127.0.0.1:${served.server.port}/_stockcheck/`;
  const framed = await page.evaluate(async (src) => {
    const frame = document.createElement('iframe');
    frame.src = src;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await loaded;
    return frame.contentDocument;
  }, url);
  expect(framed).toBeNull();
  for (const frame of page.frames().slice(1)) {
    expect(await frame.content()).not.toContain('Stockcheck console');
  }
  await page.evaluate((href) => {
    const link = document.createElement('a');
    link.href = href;
    link.textContent = 'console';
    document.body.append(link);
  }, url);
  await page.click('a');
  await page.waitForURL(url);
  expect(await page.title()).toBe('Stockcheck console');
});
