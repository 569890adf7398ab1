/**
 * `npm run bench:release`: what a squad waits for, and how long ops wait after a rollback. Every wait is that of the command as it
 * is typed, the start of its process included.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { liveEntry, openStore, promote } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { type Shop, startShop } from '../../e2e/src/shop';
import { presentNames } from '../../scripts/project';
import { readOptions } from '../../scripts/setup/options.mjs';
import { spreadOf } from './measure/statistics';
import { root, saveResult, writeBetween } from './report/report';

const help = `npm run bench:release -- [--rounds 9] [--trial]

  --rounds <n>  rollbacks to measure (default 9)
  --trial       only print

Results: the tables in docs/performance.md, bench/results/release.json. Goals, on two cores: a squad waits at most 15 s without the browser, 45 s with it.`;

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

interface Result {
  machine: string;
  waits: Wait[];
  rollback: Rollback;
}

const time = (value: number) => `${value.toFixed(1)} s`;
const mark = (value: number, goal: number) => `${time(value)}${value > goal ? ' **over**' : ''}`;

function tables({ machine, waits: rows, rollback }: Result): string {
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
| from its return to the first new page with the old release | ${rollback.firstNewPage.toFixed(1)} ms; it was the very first page in ${rollback.fresh} of ${rollback.rounds} |`;
}

async function main(): Promise<void> {
  const { values } = readOptions(help, { options: { rounds: { type: 'string' }, trial: { type: 'boolean' } } });
  const say = (line: string) => console.error(line);
  const rounds = Math.max(1, Number(values.rounds) || 9);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'shop-bench-release-'));
  say('starting a shop …');
  const shop = await startShop();
  try {
    say('rollbacks …');
    const rollback = await rollbacks(shop, rounds);
    say('builds and gates …');
    const rows = await waits(shop, folder);
    const machine = `Node ${process.versions.node}, ${os.availableParallelism()} cores, ${new Date().toISOString().slice(0, 10)}`;
    const result: Result = { machine, waits: rows, rollback };
    if (!values.trial) {
      saveResult('release', result);
      writeBetween('docs/performance.md', 'bench:release', tables(result));
    }
    console.log(tables(result));
  } finally {
    await shop.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
