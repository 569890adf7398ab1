import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openStore, promote } from '@platform/releases';
import { publishSample, scratch } from '@platform/releases/testing';
import { COMMANDS } from './commands';
import { commandsWith } from './testing/run-command';

let place: string;

beforeEach(async () => {
  // No shop: browser-gate.test.ts and browser-gate-visits.test.ts test the browser check.
  process.env.SHOP_URL = '';
  place = await scratch();
});

const { run, json } = commandsWith(() => ['--store', place, '--by', 'ann']);
const publish = (given: Parameters<typeof publishSample>[1]) => publishSample(openStore({ place }), given);

it('npm run release publishes, promotes and rolls a release back', async () => {
  const one = await publish({ text: 'one' });
  const two = await publish({ text: 'two' });
  expect((await run('promote', `mfe-catalog@${one}`)).out).toMatch(`catalog@${one} is live; revision 1`);
  const { result } = await json('promote', 'catalog');
  const names = { name: 'catalog', version: two, from: one };
  expect(result).toMatchObject([{ ...names, outcome: 'promoted', rev: 2, dryRun: false }]);
  expect((await json('promote', 'catalog')).result).toMatchObject([{ outcome: 'already live' }]);
  expect((await run('status')).out).toMatch(new RegExp(`catalog +${two} .* ann +${one}`));
  expect((await json('rollback', 'catalog', '--why', 'errors')).result).toMatchObject({ from: two, to: one, rev: 3 });
  expect((await json('history', 'catalog')).result[0]).toMatchObject({ action: 'rollback', by: 'ann', why: 'errors' });
  expect(await json('rollback', '--map', '2')).toMatchObject({ code: 0, result: { outcome: 'restored', rev: 4 } });
  expect((await run('verify', '--all')).out).toMatch(/all files are as published/);
  expect((await json('prune', '--dry-run')).result.removed).toEqual([]);
  expect((await run('rollback', 'catalog', '--dry-run')).out).toMatch(/dry run, nothing changed/);
  expect((await json('status')).result.rev).toBe(4);
});

it('npm run release escapes control characters that an older version has stored', async () => {
  await publish({ text: 'one' });
  await run('promote', 'catalog');
  await run('freeze', 'catalog', '--why', 'waits');
  await run('render', 'off', 'catalog', '--why', 'waits');
  const maps = path.join(place, 'maps');
  const files = readdirSync(maps, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    const text = readFileSync(path.join(maps, file), 'utf8');
    const bad = '"why":"\\u001b[2J\\u009b31m\u202e\\n9  2026-01-01 00:00  ben"';
    writeFileSync(path.join(maps, file), text.replaceAll('"why":"waits"', bad));
  }
  await publish({ text: 'two' });
  const shown = String.raw`\u001b[2J\u009b31m\u202e\u000a9  2026-01-01`;
  for (const [command, ...rest] of [['status'], ['history'], ['promote', 'catalog']]) {
    const { out, err } = await run(command as string, ...rest);
    expect(`${out}${err}`).toContain(shown);
    expect(`${out}${err}`).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  }
  const { out } = await run('status', '--json');
  expect(out).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  expect(JSON.parse(out).releases[0].frozen[0].why).toBe('\u001b[2J\u009b31m\u202e\n9  2026-01-01 00:00  ben');
});

it('promote --canary starts a canary that the watcher raises', async () => {
  await publish({ text: 'one' });
  await run('promote', 'catalog');
  await publish({ text: 'two' });
  const { out } = await run('promote', 'catalog', '--canary', 'auto');
  expect(out).toMatch(/has 10 % of the visitors, then automatically 25, 50, 100 %/);
  expect((await run('status')).out).toMatch(/canary .* 10 % of 10, 25, 50, 100/);
});

it('promote prints each check when it is done, and each failure with advice', async () => {
  await publish({});
  const good = await run('gate', 'catalog');
  expect(good.err).toMatch(/^$|\.\.\./);
  expect(good.out).toMatch(/ok {4}files .*\n(.*\n)*.* passes the gate/);
  await publish({ contract: 2 });
  const bad = await run('promote', 'catalog');
  expect(bad.out).not.toMatch('contract');
  expect(bad.err).toMatch(/FAIL {2}contract .*rebuild on the current platform\n.*nothing was changed/);
});

it('rollback runs without loading the gate', async () => {
  for (const text of ['one', 'two'])
    await promote(openStore({ place }), { by: 'ann', name: 'catalog', version: await publish({ text }) });
  jest.resetModules();
  jest.doMock('./shop-gate', () => {
    throw new Error('the gate was loaded');
  });
  const { main: alone } = await import('./main');
  expect(await alone(['rollback', 'catalog', '--store', place])).toBe(0);
  expect(console.log).toHaveBeenCalledWith(expect.stringContaining('is live again'));
  jest.dontMock('./shop-gate');
});

it.each<[string, number, string[], RegExp]>([
  ['no command', 2, [], /^$/],
  ['an unknown command', 2, ['deploy'], /"deploy" is not a command/],
  ['an option of another command', 2, ['status', '--traffic', '10'], /Unknown option/],
  ['an option that only promote has', 2, ['rollback', 'catalog', '--skip', 'browser'], /Unknown option/],
  ['a missing name', 2, ['promote'], /a name is missing: npm run release -- promote/],
  ['a bad share', 2, ['promote', 'catalog', '--traffic', '120'], /at most 100/],
  ['bad steps', 2, ['promote', 'catalog', '--canary', '50,10'], /rising shares/],
  ['two kinds of canary', 2, ['promote', 'catalog', '--canary', 'auto', '--traffic', '5'], /exclude each other/],
  ['a bad number', 2, ['history', '--limit', 'many'], /whole number/],
  ['a name that climbs', 2, ['promote', '../x'], /is not a name/],
  ['a name that every object has', 2, ['rollback', 'constructor'], /"constructor" is not a name/],
  ['nothing published', 1, ['promote', 'catalog'], /run: npm run release -- publish catalog/],
  ['nothing live', 1, ['rollback', 'catalog'], /no release of catalog is live/],
  ['a revision that never was', 1, ['rollback', '--map', '9'], /has no revision 9/],
  ['a freeze without a reason', 1, ['freeze', 'catalog'], /needs a reason/],
  ['a render-off without a reason', 1, ['render', 'off', 'catalog'], /needs a reason/],
])('with %s npm run release exits with %i', async (_, code, args, message) => {
  const result = await run(...args);
  expect(result.code).toBe(code);
  expect(result.err).toMatch(message);
});

it('the exit code is 3 when the gate refuses, with the failed checks', async () => {
  await publish({ contract: 2 });
  const { code, result } = await json('promote', 'catalog');
  expect(code).toBe(3);
  expect(result.verdict.checks).toContainEqual(expect.objectContaining({ check: 'contract', outcome: 'failed' }));
  expect((await run('gate', 'catalog')).err).toMatch(/FAIL {2}contract/);
  await publish({ routes: [{ path: '/staff/login', page: './main', module: '', title: 'x' }] });
  const err = expect.stringContaining('/staff/*, which is claimed by the server');
  expect(await run('gate', 'catalog')).toMatchObject({ code: 3, err });
});

it('the exit code is 1 when a live file differs from the published one', async () => {
  const version = await publish({});
  await run('promote', 'catalog');
  await openStore({ place }).blobs.put(`r/catalog/${version}/home.dd.js`, Buffer.from('x'));
  expect(await run('verify')).toMatchObject({ code: 1, out: expect.stringContaining('home.dd.js has another hash') });
});

it('render off and render on print the new state, which status shows', async () => {
  await publish({});
  await run('promote', 'catalog');
  expect((await run('render', 'off', 'catalog', '--why', 'wrong prices')).out).toContain('catalog is not rendered');
  expect((await run('status')).out).toContain('rendering off: wrong prices');
  expect((await run('render', 'on', 'catalog')).out).toContain('catalog is rendered');
});

it('every command has a help text', async () => {
  const all = (await run('--help')).out;
  for (const command of Object.keys(COMMANDS)) {
    expect(all).toContain(command);
    expect((await run(command, '--help')).out).toContain(`npm run release -- ${command}`);
  }
});

it('npm run release ends with its own exit code, without an error, when its output is no longer read', async () => {
  await publish({});
  const root = path.resolve(__dirname, '..', '..');
  const piped = (command: string) => {
    const line = `"${process.execPath}" --import tsx scripts/release.ts ${command} --store "${place}" | true; exit "\${PIPESTATUS[0]}"`;
    const { status, stderr } = spawnSync('bash', ['-c', line], { cwd: root, encoding: 'utf8' });
    return { status, stderr };
  };
  expect(piped('status')).toEqual({ status: 0, stderr: '' });
  expect(piped('freeze catalog --why night')).toEqual({ status: 0, stderr: '' });
  expect((await json('status')).result.releases[0].frozen).toHaveLength(1);
  expect(piped('rollback catalog --json')).toEqual({ status: 1, stderr: '' });
});

it('rollback prints a warning when only the copy of the map cannot be written', async () => {
  for (const text of ['one', 'two']) await run('promote', `catalog@${await publish({ text })}`);
  // A folder with the name of the copy lets each write of the copy fail.
  rmSync(path.join(place, 'maps/production.json'));
  mkdirSync(path.join(place, 'maps/production.json'));
  expect(await run('rollback', 'catalog')).toMatchObject({
    code: 0,
    err: expect.stringMatching(/warning: revision 3 is live, but its copy maps\/production\.json was not written/),
  });
});
