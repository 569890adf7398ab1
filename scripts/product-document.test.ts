/** docs/product.md says what the code does: its tables are compared with it, and no link to it or from it leads nowhere. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as domain from '@shop/shared/domain';
import { formTexts } from '../shared/src/forms/texts';
import { statusText } from '../shared/src/http/status-texts';

interface Contract {
  name: string;
  routes: Array<{ path: string; title: Record<string, string>; flags: Record<string, boolean> }>;
}
const root = path.resolve(__dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const text = read('docs/product.md');
const contracts = readdirSync(root)
  .filter((folder) => folder.startsWith('mfe-'))
  .map((folder) => JSON.parse(read(`${folder}/remote.json`)) as Contract);
const routes = contracts.flatMap(({ name, routes }) => routes.map((route) => ({ remote: name, ...route })));

/** The cells of the first table under a heading. */
function tableOf(heading: string): string[][] {
  const section = text.split(/^#{2,3} /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  const cells = rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  return cells.slice(2);
}
const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one);

it('has every route with title, squad and flags', () => {
  const everywhere = ['topBar', 'fixed', 'placeholder'];
  const told = ['tabBar', 'showTitle', 'back', 'search', 'transparent', 'narrow'];
  const expected = routes.map(({ path: address, remote, title, flags }) => [
    `\`${address}\``,
    `${title['zh-CN']} · ${title.en}`,
    remote,
    flags.requiresLogin ? 'signed in' : 'all',
    [
      ...told.filter((flag) => flags[flag]),
      ...(flags.keepAlive === false ? ['no keepAlive'] : []),
      ...(flags.layout === false ? ['no layout'] : []),
    ].join(', '),
  ]);
  const shell = ['/403', '/404'];
  for (const address of shell) expect(read('shell/src/app/router.tsx')).toContain(`path: '${address}'`);
  const [own, others] = [true, false].map((ofShell) =>
    tableOf('Routes').filter((row) => (row[2] === 'shell') === ofShell),
  );
  expect(others?.sort()).toEqual(expected.sort());
  expect(own?.flatMap((row) => quoted(row[0]))).toEqual(shell);
  for (const { path: address, flags } of routes) {
    if (flags.layout !== false) expect([address, everywhere.filter((flag) => !flags[flag])]).toEqual([address, []]);
    expect(
      Object.keys(flags).filter(
        (flag) => ![...everywhere, ...told, 'requiresLogin', 'keepAlive', 'layout'].includes(flag),
      ),
    ).toEqual([]);
  }
});

it('has every error code, status message and enumeration', () => {
  const codes = tableOf('Error codes').flatMap(([, cell = '']) =>
    [...cell.matchAll(/(\d+) `(\w+)`/g)].map(([, code, name = '']) => [name, Number(code)]),
  );
  expect(Object.fromEntries(codes)).toEqual(domain.ErrorCode);
  const statuses = Array.from({ length: 400 }, (_, index) => 200 + index).filter((status) => statusText(status, 'en'));
  expect(tableOf('Status messages')).toEqual(
    statuses.map((status) => [String(status), statusText(status, 'zh-CN'), statusText(status, 'en')]),
  );
  const enumerations = tableOf('Enumerations').map(([name, values = '']) => [
    quoted(name)[0],
    Object.fromEntries(values.split(', ').map((value) => [value.split(' ')[0], Number(value.split(' ')[1])])),
  ]);
  const numbers = Object.entries(domain).filter(([name, value]) => /^[A-Z]/.test(name) && typeof value === 'object');
  const { ErrorCode: _, ...rest } = Object.fromEntries(numbers);
  expect(Object.fromEntries(enumerations)).toEqual(rest);
});

it('words the messages of forms as they are', () => {
  const wordOf = (language: 'zh-CN' | 'en', key = '') =>
    key.split('.').reduce<unknown>((tree, part) => (tree as Record<string, unknown>)[part], formTexts[language]);
  for (const [key, english, chinese] of tableOf('Forms')) {
    const name = quoted(key)[0];
    expect([name, english, chinese]).toEqual([name, wordOf('en', name), wordOf('zh-CN', name)]);
  }
  expect(tableOf('Forms').length).toBeGreaterThan(10);
});

it('leads to files that exist, and every link to it leads to a heading', () => {
  const files = [...text.matchAll(/\]:? ?\(?(\.\.\/[^)\s]+|[\w-]+\.md)/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => !existsSync(path.join(root, 'docs', file)))).toEqual([]);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  );
  const cited = execFileSync('git', ['grep', '-ohE', 'product\\.md#[a-z-]+|\\]\\(#[a-z-]+'], {
    cwd: root,
    encoding: 'utf8',
  });
  const anchors = [...cited.matchAll(/product\.md#([a-z-]+)/g)].map(([, anchor = '']) => anchor);
  const own = [...text.matchAll(/\]\(#([a-z-]+)\)/g)].map(([, anchor = '']) => anchor);
  expect(anchors.length).toBeGreaterThan(40);
  expect([...new Set([...anchors, ...own])].filter((anchor) => !headings.includes(anchor))).toEqual([]);
});

it.each(['docs/product.md', 'docs/operating.md'])(
  '%s leads to tests that exist, in lines that one can read',
  (file) => {
    const lines = read(file).split('\n');
    const defined = lines.flatMap((line) =>
      [...line.matchAll(/^\[([^\]]+)\]: (\S+)$/g)].map(([, name, target = '']) => ({ name, target })),
    );
    const prose = lines.filter((line) => !/^\[[^\]]+\]: /.test(line)).join('\n');
    const plain = prose.replace(/```.*?```|`[^`]*`/gs, '');
    const used = [...plain.matchAll(/\[([^\]]+)\](?!\()/g)].map(([, name = '']) => name.replace(/\s+/g, ' '));
    expect([...new Set(used)].sort()).toEqual(defined.map(({ name }) => name).sort());
    expect(defined.filter(({ target }) => !existsSync(path.join(root, 'docs', target)))).toEqual([]);
    expect(lines.filter((line) => line.length > 160)).toEqual([]);
  },
);
