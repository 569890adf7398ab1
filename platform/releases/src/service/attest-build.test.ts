import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readBuild } from '..';
import { sample, scratch, writeBuild } from '../testing/fixture';
import { attestBuild } from './attest-build';

let folder: string;
let said: string[];
beforeEach(async () => {
  folder = await scratch();
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Alone on its machine: no settings of the person who runs the test, and no repository around. */
const git = (...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

async function predicateOf(env: NodeJS.ProcessEnv, dist = folder) {
  const built = await writeBuild(sample());
  const build = await readBuild(built);
  rmSync(built, { recursive: true, force: true });
  const { envelope } = attestBuild(build, dist, { env, say: (text) => said.push(text) });
  const { buildDefinition, runDetails } = JSON.parse(Buffer.from(envelope.payload, 'base64').toString()).predicate;
  const [first] = buildDefinition.resolvedDependencies as Array<{ name: string; uri?: string; digest: object }>;
  return { source: first?.name === 'source' ? first : null, runDetails };
}

it('names the commit that is checked out, and none while there are changes that are not in it', async () => {
  git('init', '-q');
  writeFileSync(path.join(folder, 'page.tsx'), 'one');
  git('add', '.');
  git('commit', '-qm', 'one');
  const commit = git('rev-parse', 'HEAD');
  // What CI says is of another checkout.
  const env = { GITHUB_SHA: 'f'.repeat(40) };
  expect((await predicateOf(env)).source).toMatchObject({ digest: { gitCommit: commit } });
  expect(said).toEqual([]);
  writeFileSync(path.join(folder, 'page.tsx'), 'two');
  expect((await predicateOf(env)).source).toBeNull();
  expect(said).toEqual([expect.stringContaining('not committed')]);
});

it.each([
  [
    'GitHub',
    {
      GITHUB_SHA: 'c'.repeat(40),
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/gifts',
      GITHUB_REF: 'refs/heads/main',
      GITHUB_RUN_ID: '77',
      GITHUB_WORKFLOW_REF: 'acme/gifts/.github/workflows/ci.yml@refs/heads/main',
    },
    'git+https://github.com/acme/gifts@refs/heads/main',
    'https://github.com/acme/gifts/.github/workflows/ci.yml@refs/heads/main',
    'https://github.com/acme/gifts/actions/runs/77',
  ],
  [
    'GitLab',
    {
      CI_COMMIT_SHA: 'c'.repeat(40),
      CI_PROJECT_URL: 'https://gitlab.example/acme/gifts',
      CI_COMMIT_REF_NAME: 'main',
      CI_CONFIG_PATH: '.gitlab-ci.yml',
      CI_JOB_URL: 'https://gitlab.example/acme/gifts/-/jobs/77',
    },
    'git+https://gitlab.example/acme/gifts@main',
    'https://gitlab.example/acme/gifts/-/blob/HEAD/.gitlab-ci.yml',
    'https://gitlab.example/acme/gifts/-/jobs/77',
  ],
])('names the job of %s, and its commit where there is no checkout', async (_, env, uri, id, invocationId) => {
  const { source, runDetails } = await predicateOf(env);
  expect(source).toEqual({ name: 'source', uri, digest: { gitCommit: 'c'.repeat(40) } });
  expect(runDetails).toEqual({ builder: { id }, metadata: { invocationId } });
});

it('names a builder of its own where no CI has run it', async () => {
  expect(await predicateOf({})).toEqual({
    source: null,
    runDetails: { builder: { id: 'urn:platform:builder:local' } },
  });
});
