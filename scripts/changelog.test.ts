import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifestOf = (folder: string) =>
  JSON.parse(read(`${folder}/package.json`)) as {
    name: string;
    version: string;
    entryPoints?: Record<string, string>;
  };

const packed = [
  'shared',
  'server',
  'scripts/create-shop-remote',
  ...['build', 'gate', 'pages', 'releases', 'watch'].map((name) => `platform/${name}`),
].map(manifestOf);
const versions = packed.flatMap(({ name, version, entryPoints = {} }) => [
  [name, version],
  ...Object.entries(entryPoints),
]);

it.each([...versions, ['@shop/tools', manifestOf('.').version]])(
  'CHANGELOG.md has an entry for %s %s',
  (name, version) => {
    expect(read('CHANGELOG.md')).toContain(`| \`${name}\` | ${version} |`);
  },
);
