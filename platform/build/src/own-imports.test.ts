import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(tmpdir(), 'own-imports-'));
const write = (file: string, content: unknown) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
};

beforeAll(() => {
  symlinkSync(path.resolve(__dirname, '../../../node_modules'), path.join(folder, 'node_modules'), 'junction');
  write('package.json', { name: '@acme/kit', version: '1.0.0', dependencies: { axios: '1.0.0' } });
  const recipe = "require('@platform/build').recipe({ folder: __dirname, scopes: [], singletons: {} })";
  write('rspack.base.js', `module.exports = ${recipe};`);
  for (const name of ['greeting', 'parting']) {
    const routes = [
      { path: `/${name}`, page: `./${name}`, module: './src/page.ts', title: { 'zh-CN': '一', en: 'A' } },
    ];
    write(`${name}/remote.json`, { name, contract: 1, routes });
    write(`${name}/src/words.ts`, "export const words = 'of its own';");
  }
  for (const file of ['movie.mp4', 'look.scss', 'box.module.css']) write(`greeting/src/${file}`, '.box{color:red}');
});

function built(line: string): string {
  write('greeting/src/page.ts', `${line}\nexport const Component = () => String(used);\n`);
  const args = [
    path.join(folder, 'rspack.base.js'),
    'greeting',
    path.join(folder, 'greeting'),
    path.join(folder, 'out'),
  ];
  const { stderr, status } = spawnSync(process.execPath, [path.join(__dirname, 'dev/compile.cjs'), ...args, 'once']);
  return status === 0 ? '' : String(stderr);
}

const kinds = 'ts, tsx, js, jsx, css, json, webp, avif, png, svg, jpg, gif and woff2';
it.each([
  [
    '../../parting/src/words',
    'that file belongs to the remote in parting. Link to its pages, or take what both need from @acme/kit/…',
  ],
  ['axios', 'axios comes with the platform, so this would be a second copy. Import what you need from @acme/kit/…'],
  ['./movie.mp4', `files of this kind are not built. Use one of ${kinds}`],
  ['./look.scss', `files of this kind are not built. Use one of ${kinds}`],
  [
    './box.module.css',
    'CSS modules are not built, because styles apply only to the pages of their remote. Name the file *.css and write plain class names',
  ],
])('a build refuses to import %s and says what to do instead', (request, fault) => {
  expect(built(`import * as used from '${request}';`)).toContain(`import of "${request}" in src/page.ts: ${fault}`);
});

it('a remote builds with pictures, a font, data, a package of its own, and a worker that shares code with the page', () => {
  for (const file of ['a.jpg', 'b.jpeg', 'c.gif', 'd.woff2', 'e.webp'])
    write(`greeting/src/${file}`, `bytes of ${file}`);
  write('greeting/src/data.json', { title: 'Hello' });
  write('greeting/src/page.css', '@font-face{font-family:d;src:url(./d.woff2)}');
  write('greeting/src/worker.ts', "import { words } from './words'; self.onmessage = () => self.postMessage(words);");
  const imports = ['a.jpg', 'b.jpeg', 'c.gif', 'e.webp', 'data.json'].map(
    (file, at) => `import f${at} from './${file}';`,
  );
  const worker = "new Worker(new URL('./worker.ts', import.meta.url))";
  const line = `${imports.join('')} import './page.css'; import { words } from './words'; import qr from 'qrcode';`;
  expect(built(`${line} const used = () => [f0, f1, f2, f3, f4, words, qr, ${worker}];`)).toBe('');
});
