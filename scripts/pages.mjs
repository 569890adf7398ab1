#!/usr/bin/env node
/**
 * `npm run pages`: writes the pages of all remotes, which give links their types, from their remote.json; --check only compares
 * them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup/install.mjs';
import { readOptions } from './setup/options.mjs';
import { workspacesIn } from './setup/workspaces.cjs';

const folder = 'shared/src/links';
const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/**
 * Pages by name. `remotes`: contents of remote.json. `before`: the existing pages; those of remotes outside this checkout stay.
 * Throws for a name that two remotes use.
 */
export function pagesOf(remotes, before = {}) {
  const here = new Set(remotes.map(({ name }) => name));
  const pages = new Map(Object.entries(before).filter(([, { remote }]) => !here.has(remote)));
  for (const { name: remote, routes } of remotes)
    for (const { page, path: to, query = [] } of routes) {
      const name = page.replace('./', '');
      const other = pages.get(name);
      if (other)
        throw new Error(`${other.remote} and ${remote} have a page called "${name}": page names must be unique`);
      pages.set(name, { remote, path: to, query });
    }
  return Object.fromEntries([...pages].sort(([left], [right]) => (left < right ? -1 : 1)));
}

export const typesOf = (pages) =>
  `// Written by \`npm run pages\` from each remote.json; npm run check keeps it so.\n\ndeclare module './index' {\ninterface Pages {\n${Object.entries(
    pages,
  )
    .map(
      ([name, { path: to, query }]) =>
        `'${name}': { path: '${to}'; query: ${query.map((one) => `'${one}'`).join(' | ') || 'never'} };`,
    )
    .join('\n')}\n}\n}\n\nexport const paths: Readonly<Record<string, string>> = ${JSON.stringify(
    Object.fromEntries(Object.entries(pages).map(([name, { path: to }]) => [name, to])),
  )};\n`;

function format(file, input) {
  const biome = path.join(root, 'node_modules', '.bin', 'biome');
  const options = ['check', '--write', `--stdin-file-path=${path.join(root, file)}`];
  return execFileSync(biome, options, { input, encoding: 'utf8', shell: process.platform === 'win32' });
}

if (process.argv[1] === import.meta.filename) {
  const { values } = readOptions('npm run pages [-- --check]\n\nWrites the pages that links may lead to.', {
    options: { check: { type: 'boolean' } },
  });
  const json = `${folder}/pages.json`;
  const remotes = workspacesIn(root)
    .map((one) => `${one}/remote.json`)
    .filter((one) => existsSync(path.join(root, one)));
  const pages = pagesOf(remotes.map(read), existsSync(path.join(root, json)) ? read(json) : {});
  const files = { [json]: JSON.stringify(pages), [`${folder}/pages.ts`]: typesOf(pages) };
  for (const [file, text] of Object.entries(files)) {
    const wanted = format(file, text);
    if (!values.check) writeFileSync(path.join(root, file), wanted);
    else if (readFileSync(path.join(root, file), 'utf8') !== wanted) {
      console.error(`${file} does not match the remote.json files: run npm run pages`);
      process.exitCode = 1;
    }
  }
}
