/**
 * `npm run bench:release`: what a squad waits for, how long ops wait after a rollback, what an open tab spends on staying current,
 * and what the loader weighs. Every wait is that of the command as it is typed, the start of its process included.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { liveEntry, openStore, promote } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../e2e/src/browser';
import { type Shop, startShop } from '../../e2e/src/shop';
import { presentNames } from '../../scripts/project';
import { readOptions } from '../../scripts/setup/options.mjs';
import { spreadOf } from './measure/statistics';
import { measureServers, serversTable } from './release/servers';
import { root, saveResult, writeBetween } from './report/report';

const help = `npm run bench:release -- [--part servers] [--json] [--rounds 9] [--trial]

  --part servers  four servers, a bucket and a caching proxy instead: rollbacks, and a rolling restart (docs/operating.md)
  --json        print JSON rather than tables
  --rounds <n>  rollbacks to measure (default 9)
  --trial       only print

Results: the tables in docs/performance.md, bench/results/release.json; of servers docs/operating.md, bench/results/servers.json. Goals, on two cores: a squad waits at most 15 s without the browser, 45 s with it.`;

const run = promisify(execFile);
const goals = { withoutBrowser: 15, withBrowser: 45 };

interface Wait {
  name: string;
  /** Seconds. `gate` is every check but the browser; `browser` is the gate with it, in front of a running shop. */
  build: number;
  publish: number;
  gate: number;
  browser: number;
}

async function seconds(script: string, args: string[], env: Record<string, string>): Promise<number> {
  const from = performance.now();
  await run(process.execPath, ['--import', 'tsx', `scripts/${script}.ts`, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    maxBuffer: 16 * 1024 * 1024,
  });
  return (performance.now() - from) / 1000;
}

/** `name@version` of what was published last. */
function newest(place: string, names: readonly string[]): Promise<string[]> {
  const store = openStore({ place });
  return Promise.all(names.map(async (name) => `${name}@${(await store.publications(name))[0]?.version}`));
}

/** Build, publish and gate of each name alone and of all together, each time into an empty store. */
async function waits(shop: Shop, folder: string): Promise<Wait[]> {
  const names = presentNames();
  const everything = path.join(folder, 'composition');
  const quiet = { SHOP_URL: '', RELEASE_STORE: everything };
  const seen = { SHOP_URL: shop.url, RELEASE_STORE: everything, RELEASE_GATE: 'strict' };
  const without = ['--skip', 'browser', '--why', 'measured apart'];
  const rows: Wait[] = [];
  const all: Wait = {
    name: 'all of them',
    build: await seconds('build', ['--force'], {}),
    publish: await seconds('release', ['publish', ...names], quiet),
    gate: await seconds('release', ['promote', ...(await newest(everything, names)), ...without], quiet),
    browser: 0,
  };
  for (const name of names) {
    const alone = { SHOP_URL: '', RELEASE_STORE: path.join(folder, name) };
    rows.push({
      name,
      build: await seconds('build', [name, '--force'], {}),
      publish: await seconds('release', ['publish', name], alone),
      gate: await seconds('release', ['promote', ...(await newest(alone.RELEASE_STORE, [name])), ...without], alone),
      // Against all the others, as they are live.
      browser: await seconds('release', ['gate', name], seen),
    });
  }
  // One command for all of them opens each release's routes: the sum of what it took alone, less the starts of processes.
  const together = { ...seen, RELEASE_STORE: path.join(folder, 'together') };
  await seconds('release', ['publish', ...names], together);
  all.browser = await seconds('release', ['promote', ...(await newest(together.RELEASE_STORE, names))], together);
  return [...rows, all];
}

interface Rollback {
  /** Milliseconds, medians of the rounds. */
  command: number;
  firstNewPage: number;
  /** How often the first page after the command already had the old release. */
  fresh: number;
  rounds: number;
}

/** The command as it is typed, and the first page that a shopper asks for after it. */
async function rollbacks(shop: Shop, rounds: number): Promise<Rollback> {
  const store = openStore({ place: path.join(shop.dataDir, 'store') });
  const env = { RELEASE_STORE: path.join(shop.dataDir, 'store') };
  const page = async () => (await fetch(`${shop.url}/bench-remote`, { headers: { accept: 'text/html' } })).text();
  const commands: number[] = [];
  const pages: number[] = [];
  let fresh = 0;
  const shell = liveEntry(await store.readMap('production'), 'shell');
  // A remote of a few lines that fits this shell: what is measured is the change, not the remote.
  const small = (text: string) => publishSample(store, { name: 'bench-remote', text, runtime: shell?.extras.runtime });
  let before = await small('first');
  await promote(store, { name: 'bench-remote', version: before, by: 'bench' });
  for (let round = 0; round < rounds; round += 1) {
    const next = await small(`${round}`);
    await promote(store, { name: 'bench-remote', version: next, by: 'bench' });
    if (!(await page()).includes(`/r/bench-remote/${next}/`)) throw new Error('the shop does not show what is live');
    commands.push((await seconds('release', ['rollback', 'bench-remote'], env)) * 1000);
    const from = performance.now();
    for (let tries = 1; ; tries += 1) {
      const isOld = (await page()).includes(`"version":"${before}"`);
      if (isOld && tries === 1) fresh += 1;
      if (isOld) break;
    }
    pages.push(performance.now() - from);
    await promote(store, { name: 'bench-remote', version: next, by: 'bench' });
    before = next;
  }
  return { command: spreadOf(commands).median, firstNewPage: spreadOf(pages).median, fresh, rounds };
}

interface OpenTab {
  /** In one hour of an idle tab: requests for the map, and bytes received with their headers. */
  requests: number;
  bytes: number;
  /** Bytes of one changed map on the wire. */
  changedMap: number;
  /** What else was asked for while it was measured. */
  others: string[];
}

const hour = 3600;
const measuredSeconds = 600;

/** Runs the page's clock forward a second at a time; between two, real time for answers, which the clock does not bring. */
async function pass(page: Page, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await page.clock.runFor(1000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Ten minutes of an open tab, as an hour, with the page's clock run forward; its requests are real. */
async function openTab(shop: Shop): Promise<OpenTab> {
  const browser = await launchBrowser({ full: true });
  try {
    const page = await browser.newPage();
    await page.clock.install();
    await page.goto(`${shop.url}/home`);
    // What a tab fetches ahead once, in its first quiet minute, is not what staying current costs.
    await pass(page, 60);
    await page.waitForLoadState('networkidle');
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const others = new Set<string>();
    const received = new Map<string, number>();
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/releases/')) received.set(requestId, 0);
      else others.add(pathname);
    });
    // A 304 has no body to finish: the browser calls it aborted, and only its head is told.
    const note = (requestId: string, bytes: number) =>
      received.has(requestId) && received.set(requestId, Math.max(bytes, received.get(requestId) ?? 0));
    session.on('Network.responseReceived', ({ requestId, response }) => note(requestId, response.encodedDataLength));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => note(requestId, encodedDataLength));
    await pass(page, measuredSeconds);
    await page.waitForLoadState('networkidle');
    const map = await fetch(`${shop.url}/releases/production.json`, { headers: { 'accept-encoding': 'br' } });
    const changedMap = Number(map.headers.get('content-length')) || (await map.arrayBuffer()).byteLength;
    const perHour = hour / measuredSeconds;
    const bytes = [...received.values()].reduce((sum, each) => sum + each, 0);
    return { requests: received.size * perHour, bytes: bytes * perHour, changedMap, others: [...others] };
  } finally {
    await browser.close();
  }
}

interface Weight {
  /** Brotli bytes in the shell's first scripts, in proportion by its source map. */
  loader: number;
  runtime: number;
}

async function weight(): Promise<Weight> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', 'bench/src/size.ts', '--json'], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  });
  const { parts } = JSON.parse(stdout) as { parts: Array<{ part: string; brotli: number }> };
  const sum = (fits: (part: string) => boolean) =>
    parts.filter(({ part }) => fits(part)).reduce((total, { brotli }) => total + brotli, 0);
  return {
    loader: sum((part) => part === 'shell/releases'),
    runtime: sum((part) => part.startsWith('@module-federation/') || part === '@shop/shared/federation'),
  };
}

interface Result {
  machine: string;
  waits: Wait[];
  rollback: Rollback;
  openTab: OpenTab;
  weight: Weight;
}

const time = (value: number) => `${value.toFixed(1)} s`;
const mark = (value: number, goal: number) => `${time(value)}${value > goal ? ' **over**' : ''}`;
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

function tables({ machine, waits: rows, rollback, openTab: tab, weight: weighs }: Result): string {
  const lines = rows.map(
    ({ name, build, publish, gate, browser }) =>
      `| ${name} | ${time(build)} | ${time(publish)} | ${time(gate)} | ${time(browser)} | ${mark(build + publish + gate, goals.withoutBrowser)} | ${mark(build + publish + browser, goals.withBrowser)} |`,
  );
  return `\`npm run bench:release\`, ${machine}. What a squad waits for, each command as it is typed; the last two columns are the whole wait,
whose goals are ${goals.withoutBrowser} s and ${goals.withBrowser} s.

| release | build | publish | gate | gate with browser | all without browser | all with browser |
| --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}

| what | measured |
| --- | --- |
| the command \`rollback\`, from typing to its return | ${rollback.command.toFixed(0)} ms, median of ${rollback.rounds} |
| from its return to the first new page with the old release | ${rollback.firstNewPage.toFixed(1)} ms; it was the very first page in ${rollback.fresh} of ${rollback.rounds} |
| an idle tab that stays current for an hour | ${tab.requests.toFixed(0)} requests, ${kilobytes(tab.bytes)} of answers${tab.others.length > 0 ? `; in the ten minutes that were measured also ${tab.others.length} other files` : ''} |
| a changed map, once a change and tab | ${kilobytes(tab.changedMap)} |
| the shell's own loader (\`platform/host/src\`) | ${kilobytes(weighs.loader)} of brotli in the first script |
| Module Federation's runtime beside it | ${kilobytes(weighs.runtime)} |`;
}

async function main(): Promise<void> {
  const { values } = readOptions(help, {
    options: {
      json: { type: 'boolean' },
      rounds: { type: 'string', default: '9' },
      trial: { type: 'boolean' },
      part: { type: 'string' },
    },
  });
  const say = (line: string) => console.error(line);
  const rounds = Math.max(1, Number(values.rounds) || 9);
  if (values.part && values.part !== 'servers') throw new Error(help);
  if (values.part) {
    const result = await measureServers(rounds, say);
    if (!values.trial) {
      saveResult('servers', result);
      writeBetween('docs/operating.md', 'bench:servers', serversTable(result));
    }
    return console.log(values.json ? JSON.stringify(result, null, 2) : serversTable(result));
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'shop-bench-release-'));
  say('starting a shop …');
  const shop = await startShop();
  try {
    say('an open tab …');
    const tab = await openTab(shop);
    say('rollbacks …');
    const rollback = await rollbacks(shop, rounds);
    say('builds and gates …');
    const rows = await waits(shop, folder);
    say('sizes …');
    const machine = `Node ${process.versions.node}, ${os.availableParallelism()} cores, ${new Date().toISOString().slice(0, 10)}`;
    const result: Result = { machine, waits: rows, rollback, openTab: tab, weight: await weight() };
    if (!values.trial) {
      saveResult('release', result);
      writeBetween('docs/performance.md', 'bench:release', tables(result));
    }
    console.log(values.json ? JSON.stringify(result, null, 2) : tables(result));
  } finally {
    await shop.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
