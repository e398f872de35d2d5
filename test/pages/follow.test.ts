import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pauseBefore } from '../../src/pages/follow.ts';
import { findChromium, openChromium } from '../harness/chromium.ts';

/** Tabs of one browser that follow the same stream, against a server that counts and refuses. */

const WAIT = { timeout: 30_000 };
const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

test('a new connection is tried after 2 to 30 seconds, later each time', () => {
  const longest = Array.from({ length: 8 }, (_, attempt) => pauseBefore(attempt, 1));
  expect(longest).toEqual([4_000, 6_000, 10_000, 18_000, 30_000, 30_000, 30_000, 30_000]);
  for (let attempt = 0; attempt < 8; attempt++) expect(pauseBefore(attempt, 0)).toBe(2_000);
});

const script = stripTypeScriptTypes(
  readFileSync(new URL('../../src/pages/follow.ts', import.meta.url), 'utf8'),
);
const page = `<!doctype html><title>Follows</title><script type="module">
  import { follow } from './follow.js';
  const as = location.hash || 'value';
  follow({
    address: 'stream', as, events: ['value', 'end'], last: 'end',
    reduce: (state, type, data) => (type === 'end' ? state : as === 'value' ? data.value : as + data.value),
    show: ({ state, connection, since }) => {
      document.title = connection + ' ' + state;
      document.documentElement.dataset.since = since;
    },
  });
</script>`;

const END = 'event: end\ndata: {}\n\n';

/** A stream with one value that is sent to everybody who opens it. */
class StreamServer {
  readonly open = new Set<ServerResponse>();
  opened = 0;
  refused: number[] = [];
  isRefusing = false;
  isOver = false;
  value = 1;
  server: Server = createServer((request, response) => {
    if (request.url === '/stream') this.#stream(response);
    else if (request.url === '/follow.js')
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });

  #stream(response: ServerResponse): void {
    if (this.isRefusing) {
      this.refused.push(performance.now());
      response.writeHead(503).end();
      return;
    }
    this.opened += 1;
    this.open.add(response);
    response.on('close', () => this.open.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`retry: 200\nevent: value\ndata: {"value":${this.value}}\n\n`);
    if (this.isOver) response.end(END);
  }

  send(value: number): void {
    this.value = value;
    for (const one of this.open) one.write(`event: value\ndata: {"value":${value}}\n\n`);
  }
  /** Like the stream of a match: who comes later gets the last value and the end, too. */
  end(): void {
    this.isOver = true;
    for (const one of this.open) one.end(END);
  }
}

describe.skipIf(executable === null)(`tabs that follow a stream${needed}`, () => {
  let stream: StreamServer;
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    browser = await openChromium(executable ?? '');
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    stream = new StreamServer();
    stream.server.listen(0, '127.0.0.1');
    await once(stream.server, 'listening');
    context = await browser.newContext();
    // Which tabs of a browser without a window are visible changes while others open: here only the test says it.
    await context.addInitScript(() => {
      Object.defineProperty(document, 'visibilityState', {
        get: () => document.documentElement.dataset.visibility ?? 'visible',
      });
    });
  });
  afterEach(async () => {
    await context.close();
    stream.server.closeAllConnections();
    stream.server.close();
  });

  const openTab = async (hash = ''): Promise<Page> => {
    const tab = await context.newPage();
    await tab.goto(`http://127.0.0.1:${(stream.server.address() as AddressInfo).port}/${hash}`);
    return tab;
  };
  const openTabs = (count: number): Promise<Page[]> =>
    Promise.all(Array.from({ length: count }, () => openTab()));
  const show = (tabs: readonly Page[], title: string) =>
    expect
      .poll(async () => [...new Set(await Promise.all(tabs.map((tab) => tab.title())))], WAIT)
      .toEqual([title]);
  const turn = (tabs: readonly Page[], state: 'hidden' | 'visible') =>
    Promise.all(
      tabs.map((tab) =>
        tab.evaluate((visibility) => {
          document.documentElement.dataset.visibility = visibility;
          document.dispatchEvent(new Event('visibilitychange'));
        }, state),
      ),
    );
  /** Moves the clock of tabs. */
  const pass = (tabs: readonly Page[], milliseconds: number) =>
    Promise.all(
      tabs.map((tab) =>
        tab.evaluate((passed) => {
          const now = Date.now;
          Date.now = () => now() + passed;
        }, milliseconds),
      ),
    );
  const sinceOf = async (tab: Page) => Number(await tab.getAttribute('html', 'data-since'));
  const openStreams = (count: number) => expect.poll(() => stream.open.size, WAIT).toBe(count);

  test('share one connection, eight as well, and another tab takes the connection over when its tab is closed', async () => {
    const [first] = (await openTabs(1)) as [Page];
    await show([first], 'live 1');
    const others = await openTabs(7);
    await show(others, 'live 1');
    expect(stream.opened).toBe(1);
    stream.send(2);
    await show([first, ...others], 'live 2');

    // The first tab has the connection.
    await first.close();
    await expect.poll(() => stream.opened, WAIT).toBe(2);
    stream.send(3);
    await show(others, 'live 3');
    await openStreams(1);
    expect(stream.opened).toBe(2);
  });

  test('do not take the state of a tab that shows something else of the stream', async () => {
    const tabs = await Promise.all([openTab(), openTab(), openTab('#other')]);
    const [first, second, other] = tabs as [Page, Page, Page];
    await show([first, second], 'live 1');
    await show([other], 'live #other1');
    expect(stream.opened).toBe(2);
    stream.send(2);
    await show([first, second], 'live 2');
    await show([other], 'live #other2');
  });

  test('are connected only while one of them is visible', async () => {
    const [first] = (await openTabs(1)) as [Page];
    await show([first], 'live 1');
    const others = await openTabs(2);
    const tabs = [first, ...others];
    await show(tabs, 'live 1');
    await turn(others, 'hidden');
    await openStreams(1);
    stream.send(2);
    await show(tabs, 'live 2');
    await turn([first], 'hidden');
    await openStreams(0);
    stream.send(3);
    await turn([first], 'visible');
    await openStreams(1);
    await show(tabs, 'live 3');
    // The first tab has the connection, and connects again when it is shown.
    expect(stream.opened).toBe(2);
  });

  test('say that they are out of date while the server refuses, and reconnect by themselves', async () => {
    const tabs = await openTabs(2);
    await show(tabs, 'live 1');
    stream.isRefusing = true;
    for (const one of stream.open) one.destroy();
    await show(tabs, 'old 1');
    // The browser tries once and gives up; the page tries again later.
    await expect.poll(() => stream.refused.length, WAIT).toBe(2);
    const [first = 0, second = 0] = stream.refused;
    expect(second - first).toBeGreaterThan(1_900);
    stream.isRefusing = false;
    stream.value = 2;
    await show(tabs, 'live 2');
  });

  test('follow again when a page that was left is shown again, as it was', async () => {
    const [tab] = (await openTabs(1)) as [Page];
    await show([tab], 'live 1');
    const turnTo = (name: 'pagehide' | 'pageshow') =>
      tab.evaluate((type) => dispatchEvent(new PageTransitionEvent(type, { persisted: true })), name);
    await turnTo('pagehide');
    await openStreams(0);
    stream.send(2);
    await turnTo('pageshow');
    await show([tab], 'live 2');
    await openStreams(1);
    // The stream is followed already when the browser sends this event for the second time.
    await turnTo('pageshow');
    stream.send(3);
    await show([tab], 'live 3');
    expect(stream.opened).toBe(2);
  });

  test('say since when they are out of date, although they were hidden or the computer slept since then', async () => {
    const [first] = (await openTabs(1)) as [Page];
    await show([first], 'live 1');
    const [second] = (await openTabs(1)) as [Page];
    const tabs = [first, second];
    await show(tabs, 'live 1');
    await turn([second], 'hidden');
    await pass([second], 3_600_000);
    await pass([first], 3_600_000);
    const hiddenAt = Date.now() + 3_600_000;
    await turn([first], 'hidden');
    await openStreams(0);
    stream.isRefusing = true;
    await pass(tabs, 14_400_000);
    // The first tab has had the connection; the second one has not heard of it for an hour.
    for (const tab of [second, first]) {
      await turn([tab], 'visible');
      await show([tab], 'old 1');
      expect((await sinceOf(tab)) - hiddenAt).toBeGreaterThanOrEqual(0);
      expect((await sinceOf(tab)) - hiddenAt).toBeLessThan(60_000);
    }
    stream.isRefusing = false;
    await show(tabs, 'live 1');
    stream.isRefusing = true;
    const sleptAt = Date.now() + 3_600_000 + 14_400_000;
    await pass(tabs, 7_200_000);
    await show(tabs, 'old 1');
    for (const tab of tabs) expect(Math.abs((await sinceOf(tab)) - sleptAt)).toBeLessThan(60_000);
  });

  test('make a new connection after the computer slept', async () => {
    const [tab] = (await openTabs(1)) as [Page];
    await show([tab], 'live 1');
    // Events that a sleeping computer misses do not come on the old connection any more.
    stream.value = 2;
    await pass([tab], 120_000);
    await show([tab], 'live 2');
    await openStreams(1);
    expect(stream.opened).toBe(2);
  });

  test('do not connect again after the end of the stream', async () => {
    const tabs = await openTabs(2);
    await show(tabs, 'live 1');
    stream.end();
    await show(tabs, 'over 1');
    await openStreams(0);
    const { opened } = stream;
    await turn(tabs, 'hidden');
    await turn(tabs, 'visible');
    // A new tab learns the end from the others, or connects once.
    const late = await openTab();
    await show([late], 'over 1');
    expect(stream.opened).toBeLessThanOrEqual(opened + 1);
  });
});
