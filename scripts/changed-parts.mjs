#!/usr/bin/env node
/**
 * Prints the parts of `npm test` that a change affects, as a workflow's output `parts=["check","units"]`: `node
 * scripts/changed-parts.mjs <commit before the change>`. Without such a commit, it prints every part.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Tests of `units` read documents, seed data and sources of the server; the gate and the browser tests run a whole server. */
const touches = {
  check: /./,
  units: /^(?!(e2e|bench)\/)/,
  releases: /^(shared|shell|mfe-[^/]+|backoffice|platform|server|scripts|deploy)\/.*(?<!\.md)$/,
  server:
    /^((server|backoffice|platform|shared\/src\/domain|deploy|scripts\/(jest|setup))\/.*(?<!\.md)|docs\/product\.md)$/,
  e2e: /^(shared|shell|mfe-[^/]+|platform|server|backoffice|scripts|e2e|deploy)\/.*(?<!\.md)$/,
};
/** Files of the root and the workflows affect every part, except for documents. */
const everything = /^([^/]+|(\.github|\.ci)\/.*)(?<!\.md)$/;

export function partsOf(files) {
  const all = files.some((file) => everything.test(file));
  return Object.entries(touches).flatMap(([part, pattern]) =>
    all || files.some((file) => pattern.test(file)) ? [part] : [],
  );
}

const git = (args, cwd) => spawnSync('git', args, { cwd, encoding: 'utf8' });
const lines = ({ stdout }) => stdout.split('\n').filter(Boolean);

/**
 * The changes since this branch left main, committed or not, for `npm test -- --changed`. `modules`: all changes are modules, for
 * which jest finds the affected tests by their imports. A style affects no jest test.
 */
export function changedSinceMain(cwd = process.cwd()) {
  const [since = 'HEAD'] = ['origin/main', 'main'].flatMap((main) => lines(git(['merge-base', 'HEAD', main], cwd)));
  const files = [
    ...lines(git(['diff', '--name-only', since], cwd)),
    ...lines(git(['ls-files', '--others', '--exclude-standard'], cwd)),
  ];
  const isModule = (file) =>
    /\.([cm]?[jt]sx?|css)$/.test(file) && !everything.test(file) && !file.startsWith('scripts/jest/');
  return { since, files, modules: files.every(isModule) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const before = process.argv[2] ?? '';
  const diff = git(['diff', '--name-only', `${before}...HEAD`]);
  // After a first push, a force-push or in a shallow clone the commit does not exist.
  const known = /^[0-9a-f]{40}$/.test(before) && diff.status === 0;
  const files = known ? lines(diff) : ['package.json'];
  console.log(`parts=${JSON.stringify(partsOf(files))}`);
}
