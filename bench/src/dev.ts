/**
 * `npm run bench:dev`: how long a developer waits. Cold is without the build's stamps and outputs, warm is when nothing has
 * changed. Writes docs/performance.md, "Developers' speed".
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { startShop } from '../../e2e/src/shop';
import { directoryOf, presentNames } from '../../scripts/project';
import { readOptions } from '../../scripts/setup/options.mjs';
import { spreadOf } from './measure/statistics';
import { root, saveResult, writeBetween } from './report/report';

const help = `npm run bench:dev -- [--runs 5] [--no-units] [--no-docs]

  --runs      how often each build and each edit is timed (default 5)
  --no-units  leave out the unit suite
  --no-docs   leave bench/results and docs/performance.md as they are`;

interface Figure {
  what: string;
  goalMs: number;
  medianMs: number;
  worstMs: number;
}

const endings: Array<() => Promise<unknown> | unknown> = [];

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function run(command: string[], env: Record<string, string> = {}): void {
  const [program = '', ...args] = command;
  const { status, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}\n${stderr.slice(-2000)}`);
}

const build = (...args: string[]) => run([process.execPath, '--import', 'tsx', 'scripts/build.ts', ...args]);

function forget(names: readonly string[]): void {
  for (const name of names) {
    rmSync(path.join(directoryOf(name), 'dist'), { recursive: true, force: true });
    rmSync(path.join(root, 'node_modules', '.cache', 'platform-build', `${name}.json`), { force: true });
  }
}

function figure(what: string, goalMs: number, times: readonly number[]): Figure {
  const one = { what, goalMs, medianMs: spreadOf(times).median, worstMs: Math.max(...times) };
  process.stderr.write(`${what}: ${Math.round(one.medianMs)} ms\n`);
  return one;
}

const times = (runs: number, work: () => number) => Array.from({ length: runs }, work);

/** From the moment a source file is saved to the moment the browser has painted what it says. */
async function editToVisible(runs: number): Promise<number[]> {
  const shop = await startShop();
  endings.push(() => shop.stop());
  const port = await freePort();
  const server = spawn(
    process.execPath,
    ['--import', 'tsx', 'scripts/dev.ts', 'catalog', '--against', shop.url, '--port', String(port)],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  endings.push(() => server.kill());
  await said(server, 'Dev ready');
  const browser: Browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH || '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  endings.push(() => browser.close());
  const page = await (await browser.newContext({ locale: 'zh-CN' })).newPage();
  await page.goto(`http://localhost:${port}/search`);
  const file = path.join(root, 'mfe-catalog', 'src', 'texts.ts');
  const source = readFileSync(file, 'utf8');
  const restore = () => writeFileSync(file, source);
  endings.push(restore);
  const shown = '搜游戏、点卡、拼音首字母';
  if (!source.includes(shown)) throw new Error('the text that is edited is no longer in mfe-catalog/src/texts.ts');
  await page.getByPlaceholder(shown).first().waitFor();
  const measured: number[] = [];
  for (let turn = 0; turn <= runs; turn += 1) {
    const text = `edited ${turn}`;
    const started = performance.now();
    writeFileSync(file, source.replaceAll(shown, text));
    await page.getByPlaceholder(text).first().waitFor({ timeout: 20_000 });
    if (turn > 0) measured.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  restore();
  return measured;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

function said(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`it ended with ${code} before it said "${words}"`)));
    child.stdout?.on('data', (chunk) => String(chunk).includes(words) && resolve());
  });
}

async function main(): Promise<void> {
  const { values } = readOptions(help, {
    options: {
      runs: { type: 'string', default: '5' },
      'no-units': { type: 'boolean', default: false },
      'no-docs': { type: 'boolean', default: false },
    },
  });
  const runs = Number(values.runs);
  const all = presentNames();
  const cold = (names: readonly string[]) => {
    forget(names);
    return timed(() => build(...names));
  };
  const figures = [
    figure(
      'cold build of everything',
      12_000,
      times(runs, () => cold(all)),
    ),
    figure(
      'cold build of one remote',
      3_000,
      times(runs, () => cold(['catalog'])),
    ),
    figure(
      'build with nothing changed',
      1_000,
      times(runs, () => timed(() => build())),
    ),
    figure('an edit visible', 500, await editToVisible(runs)),
  ];
  if (!values['no-units'] && existsSync(path.join(root, 'scripts', 'test.mjs'))) {
    figures.push(figure('the unit suite', 30_000, [timed(() => run([process.execPath, 'scripts/test.mjs', 'units']))]));
  }
  const rows = figures.map(
    ({ what, goalMs, medianMs, worstMs }) =>
      `| ${what} | ${Math.round(medianMs)} ms | ${Math.round(worstMs)} ms | ${goalMs} ms${medianMs > goalMs ? ' **missed**' : ''} |`,
  );
  const text = `\`npm run bench:dev\`; ${os.cpus().length} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}; ${runs} runs, the suite once.

| | median | slowest | goal |
| --- | --- | --- | --- |
${rows.join('\n')}`;
  console.log(text);
  if (values['no-docs']) return;
  saveResult('dev', { runs, figures });
  writeBetween('docs/performance.md', 'dev', text);
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(async () => {
    for (let end = endings.pop(); end; end = endings.pop()) await Promise.resolve(end()).catch(() => {});
    process.exit();
  });
