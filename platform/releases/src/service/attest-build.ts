/** What a publish says of its build: who has built it, of which commit, and with which packages. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Attestation, attest, type OwnBuild, type Provenance, readPrivateKey } from '..';

/** Of the packages that the build was made with; undefined where there is none. */
export function lockfileHash(): string | undefined {
  const file = path.resolve('package-lock.json');
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : undefined;
}

interface Options {
  env?: NodeJS.ProcessEnv;
  say?: (text: string) => void;
}

/** Signed with RELEASE_SIGNING_KEY where it is set. Throws StoreError for what is no such key. */
export function attestBuild(build: OwnBuild, dist: string, { env = process.env, say }: Options = {}): Attestation {
  const key = env.RELEASE_SIGNING_KEY ? readPrivateKey(env.RELEASE_SIGNING_KEY) : undefined;
  const commit = commitOf(dist, env);
  if (commit === 'changed') say?.('there are changes that are not committed, so the provenance names no commit');
  const { name, version } = build.manifest;
  const source = { ...jobOf(env), lockfile: lockfileHash(), ...(commit !== 'changed' && { commit }) };
  return attest({ ...build, name, version }, source, key);
}

/** Of the checkout that the build is in; without one, of the CI job. */
function commitOf(dist: string, env: NodeJS.ProcessEnv): string | 'changed' | undefined {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', dist, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : 'changed';
  } catch {
    return env.GITHUB_SHA ?? env.CI_COMMIT_SHA;
  }
}

/** As GitHub (and Gitea) and GitLab tell their jobs. */
function jobOf(env: NodeJS.ProcessEnv): Provenance {
  const { GITHUB_SERVER_URL: github, GITHUB_REPOSITORY: repository, CI_PROJECT_URL: project } = env;
  if (github && repository) {
    const run = env.GITHUB_RUN_ID && `${github}/${repository}/actions/runs/${env.GITHUB_RUN_ID}`;
    const builder = env.GITHUB_WORKFLOW_REF && `${github}/${env.GITHUB_WORKFLOW_REF}`;
    return { repository: `${github}/${repository}`, ref: env.GITHUB_REF, builder, run };
  }
  if (!project) return {};
  return {
    repository: project,
    ref: env.CI_COMMIT_REF_NAME,
    builder: `${project}/-/blob/HEAD/${env.CI_CONFIG_PATH}`,
    run: env.CI_JOB_URL,
  };
}
