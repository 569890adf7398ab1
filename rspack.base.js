/** The one list of shared singletons, for the build recipe of the platform (platform/build/src/recipe.cjs). */
const path = require('node:path');
const { recipe } = require('@platform/build');

const sharedFolder = path.dirname(require.resolve('@shop/shared/package.json'));
const { entryPoints } = require('@shop/shared/package.json');
const react = require(require.resolve('react/package.json', { paths: [sharedFolder] })).version;

/** Each entry point has a version of its own, so that a change of one concerns only the remotes that take it. */
const entryPoint = (name, options) => ({ [`@shop/shared/${name}`]: { version: entryPoints[name], ...options } });

/**
 * The one list of shared singletons: what squads use of the platform. Explicit entry points instead of whole libraries
 * (docs/adr/0004-platform-subset.md gives the bytes). `lazy` ones come from the shell in a separate chunk.
 */
const singletons = {
  react: { version: react },
  'react/jsx-runtime': { version: react },
  ...entryPoint('domain'),
  ...entryPoint('money'),
  ...entryPoint('session'),
  ...entryPoint('state'),
  ...entryPoint('http'),
  ...entryPoint('query'),
  ...entryPoint('i18n'),
  ...entryPoint('router'),
  ...entryPoint('ui'),
  ...entryPoint('forms', { lazy: true }),
};

/** How code names pages and calls, by which a release says what it uses (docs/adr/0067-what-is-live-fits.md). */
const shared = (name) => ({ name: `@shop/shared/${name}`, folder: path.join(sharedFolder, 'src', name) });
const uses = {
  links: {
    ...shared('links'),
    function: 'linkTo',
    routes: require('@shop/shared/links/pages.json'),
  },
  calls: {
    ...shared('http'),
    methods: { get: 'GET', post: 'POST', del: 'DELETE' },
    names: Object.keys(require('@shop/server/calls.json')),
  },
};

module.exports = recipe({
  singletons,
  uses,
  scopes: ['@shop'],
  folder: sharedFolder,
});
