#!/usr/bin/env node
/**
 * Prints the jobs of CI that a change needs, as a workflow's output `jobs=[{"part":"units","shard":"1/2"}, …]`: `node
 * scripts/affected.mjs <commit before the change>`. Without such a commit, it prints every job.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './setup/install.mjs';
import { workspacesIn } from './setup/workspaces.cjs';

const readJson = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
/** Tests that run at night only, or if a change touches one of their folders. */
export const nightly = readJson('scripts/nightly.json');
const SHARDS = { check: 1, units: 2, releases: 1, server: 2, e2e: 3 };
export const PARTS = Object.keys(SHARDS);
const isIn = (folders) => (file) => folders.some((folder) => file === folder || file.startsWith(`${folder}/`));

/** The parts of `npm test`, the workspaces and the nightly tests that a change of these files affects. `dependents` is turbo's list. */
export function affectedBy(files, dependents) {
  const code = files.filter((file) => !file.endsWith('.md'));
  // Tests of a workspace compare its documents with its code.
  const workspaces = code.length > 0 ? dependents : workspacesIn(root).filter((name) => files.some(isIn([name])));
  const isShop = code.some(isIn(['scripts'])) || (code.length > 0 && workspaces.some((name) => name !== 'bench'));
  const rows = nightly.filter(({ folders }) => files.some(isIn(folders)));
  const isNeeded = {
    check: true,
    units: true,
    releases: isShop,
    server: isShop && workspaces.includes('server'),
    e2e: isShop || rows.some(({ tests }) => tests.startsWith('e2e/')),
  };
  return {
    workspaces,
    parts: files.length > 0 ? PARTS.filter((part) => isNeeded[part]) : [],
    nightly: rows,
  };
}

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
const lines = ({ stdout }) => stdout.split('\n').filter(Boolean);

/** What the changes since `base` affect, committed or not; everything if `base` is no commit. */
export function affectedSince(base) {
  const diff = git('diff', '--name-only', base);
  // After a first push, a force-push or in a shallow clone the commit does not exist.
  if (diff.status !== 0) return { workspaces: workspacesIn(root), parts: PARTS, nightly };
  const version = readJson('package.json').devDependencies.turbo;
  const turbo = spawnSync(
    'npx',
    ['--yes', `turbo@${version}`, 'ls', '--affected', '--output=json', '--dangerously-disable-package-manager-check'],
    { cwd: root, encoding: 'utf8', env: { ...process.env, TURBO_SCM_BASE: base, TURBO_TELEMETRY_DISABLED: '1' } },
  );
  if (turbo.status !== 0) throw new Error(`turbo ls failed: ${turbo.stderr}`);
  const dependents = JSON.parse(turbo.stdout).packages.items.map((item) => item.path);
  const files = [...lines(diff), ...lines(git('ls-files', '--others', '--exclude-standard'))];
  // At the desk jest selects tests by imports of modules. CI also runs those that read files which they do not import.
  const isModule = (file) => /\.([cm]?[jt]sx?|css)$/.test(file) && isIn(workspacesIn(root))(file);
  return { ...affectedBy(files, dependents), base: !process.env.CI && files.every(isModule) ? base : undefined };
}

export const mergeBase = () =>
  ['origin/main', 'main'].flatMap((main) => lines(git('merge-base', 'HEAD', main)))[0] ?? 'HEAD';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const jobs = affectedSince(process.argv[2] ?? '').parts.flatMap((part) =>
    Array.from({ length: SHARDS[part] }, (_, index) => ({ part, shard: `${index + 1}/${SHARDS[part]}` })),
  );
  console.log(`jobs=${JSON.stringify(jobs)}`);
}
