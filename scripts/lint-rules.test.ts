/** The lint rules of a remote (create-shop-remote/template) refuse code that breaks other remotes, other languages, or server rendering. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const template = path.join(__dirname, 'create-shop-remote', 'template');

function refused(reason: string, lines: readonly string[]): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'rules-'));
  for (const file of ['own-pages.grit', 'pages.grit']) copyFileSync(path.join(template, file), path.join(folder, file));
  copyFileSync(path.join(template, 'biome-template.json'), path.join(folder, 'biome.json'));
  writeFileSync(path.join(folder, 'page.tsx'), lines.join('\n'));
  const biome = require.resolve('@biomejs/biome/bin/biome');
  const args = [biome, 'lint', '--colors=off', '--max-diagnostics=none', '.'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const found = `${stdout}\n${stderr}`.matchAll(/^page\.tsx:(\d+):\d+ \S+.*\n\n +× (.*)/gm);
  const numbers = [...found].filter(([, , what]) => what?.startsWith(reason)).map(([, line]) => Number(line));
  return [...new Set(numbers)].sort((left, right) => left - right).map((line) => lines[line - 1]?.trim() ?? '');
}

it('the lint rules refuse changes to globals and prototypes', () => {
  const bad = [
    'window.fetch = async () => new Response();',
    'self.name = "x";',
    'Array.prototype.at = () => 1;',
    'Object.defineProperty(globalThis, "x", { value: 1 });',
    'Object.assign(window, { a: 1 });',
  ];
  const fine = [
    'export const own = { prototype: 1, a: 1 };',
    'own.a = 2;',
    'Object.assign(own, { a: 3 });',
    'document.title = "fine";',
  ];
  expect(refused('This changes an object that all remotes share', [...bad, ...fine])).toEqual(bad);
  expect(refused('A global variable should not be reassigned', ['fetch = null;'])).toEqual(['fetch = null;']);
});

it('the lint rules refuse hard-coded text in a component', () => {
  const bad = ['<h1>你好</h1>;', '<section aria-label="Greetings" />;', '<img alt={"a"} title="see" />;'];
  const fine = ['<b className="a b">· × 3,00 %</b>;', `<b title={t('open')}>{t('a.b')}</b>;`];
  expect(refused('This text is in one language', [...bad, ...fine])).toEqual(bad);
});

it('the lint rules refuse hard-coded addresses of pages', () => {
  const bad = [
    '<Link to="/home" />;',
    '<Link to={`/goods`} />;',
    `navigate('/home');`,
    `navigate('/home', { replace: true });`,
  ];
  const fine = [
    '<Link to={target} />;',
    '<a href="/r/x.pdf" />;',
    'navigate(-1);',
    `navigate('/404');`,
    `navigate(linkTo('home'));`,
  ];
  expect(refused('Use linkTo()', [...bad, ...fine])).toEqual(bad);
});

it('the lint rules refuse the clock and random numbers while a component or a hook renders', () => {
  const bad = [
    'const now = Date.now();',
    'const day = useMemo(() => new Date().getDay(), []);',
    'const [id] = useState(() => Math.random());',
  ];
  const fine = [
    'const started = Date.now();',
    'const stamp = () => Date.now();',
    'export function Component() {',
    '  useEffect(() => setNow(Date.now() - started), []);',
    '  const press = () => setNow(Date.now());',
    '  const late = new Date(time) > until;',
    '  // biome-ignore lint/plugin: the browser renders this only.',
    '  const today = new Date();',
  ];
  const found = refused('The server and the browser get different values', [...fine, ...bad, '}']);
  expect(found).toEqual(bad);
});
