/**
 * `npm run pack [-- <folder>]`: packs the npm packages that a squad outside this repository installs
 * (docs/guides/external-remotes.md), into dist/packages by default.
 */
import path from 'node:path';
import { buildShellForDev } from '@platform/build/dev-server';
import { type Manifest, type PackedPackage, pack as packPackages, readManifest } from '@platform/build/pack';
import { product } from './build';
import { readOptions } from './setup/options.mjs';

const root = path.resolve(__dirname, '..');
const workspace = (folder: string) => readManifest(path.join(root, folder));

const own = workspace('.');
const shared = workspace('shared');
const releases = workspace('platform/releases');
const gate = workspace('platform/gate');
const pages = workspace('platform/pages');
const build = workspace('platform/build');
const watch = workspace('platform/watch');
const server = workspace('server');
const tools = { name: '@shop/tools', version: own.version };

/**
 * Removes packages that only the shop's own machine needs, because the gate and the store run there. An installation of a remote
 * does not get them (docs/adr/0018-package-boundaries.md).
 */
function leaveOut({ dependencies, optionalDependencies, ...manifest }: Manifest, ...names: string[]): Manifest {
  const all = { ...dependencies, ...(optionalDependencies as Manifest['dependencies']) };
  const part = (isLeftOut: boolean) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name) === isLeftOut));
  const optional = Object.fromEntries(names.map((name) => [name, { optional: true }]));
  return {
    ...manifest,
    dependencies: part(false),
    peerDependencies: { ...(manifest.peerDependencies as object | undefined), ...part(true) },
    peerDependenciesMeta: { ...(manifest.peerDependenciesMeta as object | undefined), ...optional },
  };
}

const withDependencies = (manifest: Manifest, added: Record<string, string>): Manifest => ({
  ...manifest,
  dependencies: { ...manifest.dependencies, ...added },
});

/** The versions of the lockfile, so that a squad builds and tests with the same versions as the shop. */
const versions: Record<string, string> = Object.assign(
  {},
  ...[server, releases, pages, build, shared, own].flatMap((one) => [one.devDependencies, one.dependencies]),
);
const versionsOf = (...names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => {
      if (!versions[name]) throw new Error(`no package.json names ${name}, which the packed packages need`);
      return [name, versions[name]];
    }),
  );

const packageVersions = (packages: ReadonlyArray<{ name: string; version: string }>) =>
  Object.fromEntries(packages.map(({ name, version }) => [name, version]));
const platform = [shared, releases, gate, pages, build, watch, server];

const devShell = 'node_modules/.cache/dev-shell';

// Only packing uses it.
const { typescript: _, ...buildsWith } = build.devDependencies ?? {};

const withoutTesting = (folder: string, manifest: Manifest): PackedPackage => ({
  manifest,
  files: { 'README.md': `${folder}/README.md`, src: `${folder}/src` },
  without: ['testing'],
});

const packages: PackedPackage[] = [
  {
    manifest: withDependencies(shared, { ...shared.devDependencies, ...packageVersions([server]) }),
    files: { 'README.md': 'shared/README.md', src: 'shared/src' },
    types: { sources: 'shared/src' },
  },
  {
    manifest: leaveOut(releases, '@aws-sdk/client-s3'),
    files: { 'README.md': 'platform/releases/README.md', src: 'platform/releases/src' },
    types: { sources: 'platform/releases/src' },
  },
  withoutTesting('platform/gate', leaveOut(gate, 'axe-core', 'playwright-core')),
  withoutTesting('platform/pages', leaveOut(pages, 'workerd')),
  // The release command prints health.
  withoutTesting('platform/watch', watch),
  // A server that only sends compiled files needs no compiler, but a build does.
  withoutTesting('platform/build', withDependencies(build, buildsWith)),
  {
    // Of the server, only the types of the API and the fields of its calls.
    manifest: {
      name: server.name,
      version: server.version,
      description: 'The types of the API',
      exports: {
        './wire': { types: './types/wire.d.ts' },
        './calls.json': './calls.json',
        './package.json': './package.json',
      },
      dependencies: versionsOf('typebox'),
    },
    files: { 'README.md': 'server/README-package.md', 'calls.json': 'server/src/generated/calls.json' },
    types: { sources: 'server/src', entry: 'wire.d.ts' },
  },
  {
    manifest: {
      ...tools,
      description: 'Builds, tests, serves and releases a remote of the shop',
      bin: { 'shop-dev': './scripts/bin/shop-dev.mjs', 'shop-release': './scripts/bin/shop-release.mjs' },
      dependencies: {
        ...packageVersions(platform),
        ...versionsOf('@rspack/core', '@swc/core', '@swc/jest', '@testing-library/dom', '@testing-library/jest-dom'),
        ...versionsOf(
          '@types/jest',
          '@types/node',
          'jest',
          'jest-circus',
          'jest-environment-jsdom',
          'jest-environment-node',
        ),
        ...versionsOf('react', 'tsx'),
      },
    },
    files: {
      'README.md': 'scripts/README-package.md',
      ...Object.fromEntries(
        ['scripts', 'rspack.base.js', 'jest.base.js', 'tsconfig.base.json'].map((file) => [file, file]),
      ),
      // React applies edits only in its development build, which this shell contains.
      'dev-shell': devShell,
    },
    without: ['pack.ts', 'tsconfig.types.json', 'imports', 'create-shop-remote', 'stock-host', 'testing', 'image'],
  },
  {
    manifest: workspace('scripts/create-shop-remote'),
    isUnpacked: true,
    files: {
      'README.md': 'scripts/create-shop-remote/README.md',
      'create.mjs': 'platform/build/src/packing/create-remote.mjs',
      template: 'scripts/create-shop-remote/template',
    },
    data: {
      'product.json': {
        example: 'https://shop.example',
        platform: packageVersions([...platform, tools]),
        // Packages that the generated repository needs besides the platform's.
        tools: {
          ...versionsOf('@biomejs/biome', '@testing-library/dom', '@testing-library/jest-dom'),
          ...versionsOf(
            '@testing-library/react',
            '@testing-library/user-event',
            '@types/jest',
            '@types/node',
            '@types/react',
          ),
          ...versionsOf('@types/react-dom', 'jest', 'react', 'react-dom'),
          typescript: own.devDependencies?.['@typescript/native']?.split('@').at(-1),
        },
      },
    },
  },
];

export function pack(output: string): string[] {
  buildShellForDev(product, path.join(root, 'shell'), path.join(root, devShell));
  return packPackages({ root, project: 'scripts/tsconfig.types.json', packages }, output);
}

if (require.main === module) {
  const { positionals } = readOptions(
    'npm run pack [-- <folder>]\n\nPacks what a remote outside this repository needs; without a folder into dist/packages.',
    { allowPositionals: true },
  );
  for (const file of pack(path.resolve(positionals[0] ?? path.join(root, 'dist', 'packages')))) console.log(file);
}
