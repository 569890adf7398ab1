/**
 * Refuses import directions and cycles between modules, including tests. Type imports count like any other: in a cycle of types
 * neither file can be understood alone.
 */
const { singletons } = require('../../rspack.base.js');
const { folders, options, tests, wire } = require('./common.cjs');

const contract = '^platform/releases/src/contract/';
/** Data for the release's manifest; no page imports it. */
const flows = '^mfe-[^/]+/gate/';

/** The imports that each workspace may have besides its own files and npm packages. `scripts`, `e2e` and `bench` may import all. */
const allowed = {
  '^mfe-[^/]+/': ['^shared/', wire],
  [flows]: [contract],
  '^shell/': ['^shared/', '^platform/host/', contract, wire],
  '^backoffice/console/': ['^shared/', wire, '^backoffice/api/src/(people/roles|catalogue/goods-defaults)'],
  '^shared/': [wire],
  '^platform/releases/': [],
  '^platform/build/': ['^platform/releases/'],
  '^platform/gate/': ['^platform/releases/'],
  '^platform/host/': [contract],
  '^platform/pages/': ['^platform/(build|gate|releases)/'],
  '^platform/watch/': ['^platform/releases/'],
  // Tests compose the whole shop; programs of the server do not import the back office, see below.
  '^server/': [
    '^backoffice/api/',
    '^scripts/setup/programs',
    '^platform/(build|pages|releases|watch)/',
    '^shared/src/(domain|site)/',
  ],
  '^backoffice/api/': ['^server/', '^platform/(build|pages|releases|watch)/', '^shared/src/(domain|site)/'],
};

const shared = `(${Object.keys(singletons)
  .flatMap((name) => /^@shop\/shared\/(\w+)$/.exec(name)?.[1] ?? [])
  .join('|')})/`;

const directions = Object.entries(allowed).map(([from, to]) => ({
  name: `imports-of-${from.match(/[a-z]+/g).join('-')}`,
  comment: 'This workspace may not import that one: see the table in scripts/imports/modules.cjs and docs/adr/0018.',
  severity: 'error',
  from: { path: `(${from})`, pathNot: from === flows ? [] : flows },
  to: { path: folders, pathNot: ['^$1', ...to, '^scripts/jest/'] },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'These modules import each other: move what both need into a third one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...directions,
    {
      name: 'server-without-back-office',
      comment: 'A composition root gives the back office to the server: see docs/adr/0018.',
      severity: 'error',
      from: { path: '^server/', pathNot: tests },
      to: { path: '^backoffice/' },
    },
    {
      name: 'wire-types-only',
      comment: "The server's wire module holds types only: write `import type`.",
      severity: 'error',
      from: { pathNot: ['^server/', '^backoffice/api/'] },
      to: { path: wire, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'singletons-by-name',
      comment:
        'This entry point is bundled into each remote: by a relative path it would carry a second copy of the singleton. Import @shop/shared/<name>.',
      severity: 'error',
      from: { path: '^shared/src/[^/]+/', pathNot: [...tests, `^shared/src/${shared}`] },
      to: { path: `^shared/src/${shared}`, dependencyTypes: ['local'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'contract-without-dependencies',
      comment: 'Shell, document, server and release commands import the release contract, so it imports nothing.',
      severity: 'error',
      from: { path: contract, pathNot: tests },
      to: { pathNot: contract },
    },
    {
      name: 'no-import-of-the-composition-root',
      comment: 'The root registers the domains; a domain receives what it needs as an argument.',
      severity: 'error',
      from: { path: '^server/src/[^/]+/', pathNot: ['^server/src/cli/', ...tests] },
      to: { path: '^server/src/(main|app|start|run-main)\\.ts$' },
    },
    {
      name: 'platform-without-domains',
      comment: 'The lower layer of the server knows no domain; the root gives it what it needs.',
      severity: 'error',
      from: { path: '^server/src/platform/', pathNot: tests },
      to: { path: '^server/src/', pathNot: '^server/src/platform/' },
    },
    {
      name: 'no-test-code-in-programs',
      comment: 'Test files and test helpers may not become part of a program.',
      severity: 'error',
      from: {
        path: '^(mfe-[^/]+|shell|shared|platform/[^/]+|server|backoffice/[^/]+)/src/',
        pathNot: tests,
      },
      to: { path: tests },
    },
  ],
  options,
};
