#!/usr/bin/env node
/**
 * Which parts of `npm test` a change touches, as a workflow's output `parts=["check","units"]`:
 * `node scripts/changed-parts.mjs <commit before the change>`. Without such a commit, every part.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** By the import directions: a part runs when its own files change, or files that they import. */
const touches = {
  check: /./,
  units: /^((shared|shell|mfe-[^/]+|backoffice|platform|scripts|deploy)\/|docs\/(product|operating|security)\.md$)/,
  releases: /^(shared|shell|mfe-[^/]+|platform|scripts|deploy)\//,
  server:
    /^((server|backoffice|platform|shared\/src\/domain|deploy|scripts\/(jest|setup))\/|docs\/(product|operating|security)\.md$)/,
  e2e: /^(shared|shell|mfe-[^/]+|platform|server|backoffice|scripts|e2e|deploy)\//,
};
/** Recipes at the root and of CI concern everything; documents only `check`, but for those that tests compare with the code. */
const everything = /^([^/]+$|\.github\/|\.ci\/)/;
const isCode = (file) => !file.endsWith('.md') || /^docs\/(product|operating|security)\.md$/.test(file);

export function partsOf(files) {
  const code = files.filter(isCode);
  const all = code.some((file) => everything.test(file));
  return Object.entries(touches).flatMap(([part, pattern]) =>
    all || (part === 'check' ? files.length > 0 : code.some((file) => pattern.test(file))) ? [part] : [],
  );
}

const git = (args, cwd) => spawnSync('git', args, { cwd, encoding: 'utf8' });
const lines = ({ stdout }) => stdout.split('\n').filter(Boolean);

/**
 * What has changed since this branch left main, committed or not, for `npm test -- --changed`; `modules` says whether all of it is
 * modules, of which jest knows by their imports which tests they touch. A style touches no test of jest.
 */
export function changedSinceMain(cwd = process.cwd()) {
  const [since = 'HEAD'] = ['origin/main', 'main'].flatMap((main) => lines(git(['merge-base', 'HEAD', main], cwd)));
  const files = [
    ...lines(git(['diff', '--name-only', since], cwd)),
    ...lines(git(['ls-files', '--others', '--exclude-standard'], cwd)),
  ];
  const isModule = (file) =>
    /\.([cm]?[jt]sx?|css)$/.test(file) && !everything.test(file) && !file.startsWith('scripts/jest/');
  return { since, files, modules: files.filter(isCode).every(isModule) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const before = process.argv[2] ?? '';
  const diff = git(['diff', '--name-only', `${before}...HEAD`]);
  // A first push, a force-push or a shallow clone: the commit is not there to compare with.
  const known = /^[0-9a-f]{40}$/.test(before) && diff.status === 0;
  const files = known ? lines(diff) : ['package.json'];
  console.log(`parts=${JSON.stringify(partsOf(files))}`);
}
