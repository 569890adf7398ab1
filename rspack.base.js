const path = require('node:path');
const { recipe } = require('@platform/build');

const sharedFolder = path.dirname(require.resolve('@shop/shared/package.json'));
const { entryPoints } = require('@shop/shared/package.json');
const react = require(require.resolve('react/package.json', { paths: [sharedFolder] })).version;

/** Each entry point has its own version, so that a change of one affects only the remotes that use it. */
const entryPoint = (name, options) => ({ [`@shop/shared/${name}`]: { version: entryPoints[name], ...options } });

/**
 * The list of shared singletons: the part of the platform that squads use. It has explicit entry points instead of whole
 * libraries (docs/adr/0001-module-federation.md gives the bytes). The shell loads `lazy` ones as separate chunks.
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

/** Names of pages and calls in code, from which a release derives its uses (docs/adr/0002-releases-are-data.md). */
const shared = (name) => ({ name: `@shop/shared/${name}`, folder: path.join(sharedFolder, 'src', name) });
const uses = {
  links: {
    ...shared('links'),
    function: 'linkTo',
    routes: require('@shop/shared/links/pages.json'),
  },
  calls: {
    ...shared('http'),
    methods: { get: 'GET', getQuery: 'GET', post: 'POST', del: 'DELETE' },
    names: Object.keys(require('@shop/server/calls.json')),
  },
};

module.exports = recipe({
  singletons,
  uses,
  scopes: ['@shop'],
  folder: sharedFolder,
});
