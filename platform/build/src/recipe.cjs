/**
 * The build recipe of shell and remotes. `rspack.base.js` at the root of a product's repository calls it with the product's list
 * of shared singletons; a workspace's rspack.config.js is `module.exports =
 * require('../rspack.base.js').remoteConfig(__dirname)`. docs/adr/0001-module-federation.md gives the reason for each option.
 */
const fs = require('node:fs');
const path = require('node:path');
const { ModuleFederationPlugin } = require('@module-federation/enhanced/rspack');
const rspack = require('@rspack/core');
const { BROWSERS } = require('./browsers.cjs');
const { ownImports } = require('./own-imports.cjs');
const { productionBuilds } = require('./production-builds.cjs');
const { linkedPages, pathsOfPages, usesOf } = require('./uses-of.cjs');

/** @typedef {import('./types').ProductRecipe} ProductRecipe */
/** @typedef {import('./types').ConfigOptions} ConfigOptions */
/** @typedef {import('./types').WholeConfiguration} WholeConfiguration */
/** @typedef {import('@platform/releases/contract').RemoteContract} RemoteContract */
/** @typedef {ConstructorParameters<typeof ModuleFederationPlugin>[0]} FederationOptions */

/**
 * A remote needs the same major, and at least the minor it was built with.
 * @param {string} version
 */
const rangeOf = (version) => `^${version}`;

/**
 * @param {ProductRecipe} product
 * @param {'shell' | 'remote'} kind
 * @param {boolean} [server] of the build that renders pages, where every singleton is there at once
 */
function sharedFor({ singletons }, kind, server) {
  const entries = Object.entries(singletons).map(([name, { version, lazy }]) => [
    name,
    {
      singleton: true,
      strictVersion: true,
      version,
      requiredVersion: rangeOf(version),
      ...(kind === 'remote' ? { import: false } : { eager: server || !lazy }),
    },
  ]);
  return Object.fromEntries(entries);
}

/**
 * The plugin's generated code uses our smaller bundler runtime instead of the official one. The key is the file that the plugin
 * itself resolves.
 */
function leanFederation() {
  const from = { paths: [path.dirname(require.resolve('@module-federation/enhanced/rspack'))] };
  return {
    [require.resolve('@module-federation/webpack-bundler-runtime', from)]: path.join(__dirname, 'bundler-runtime.ts'),
  };
}

/**
 * Our loader reads release.json; mf-manifest.json is for Module Federation's tools and for other hosts. Types and snapshots are
 * not used.
 * @type {Partial<FederationOptions>}
 */
const bareFederation = {
  manifest: true,
  dts: false,
  dev: false,
  experiments: { optimization: { disableSnapshot: true, target: 'web' } },
};

const assetFile = /\.(webp|avif|png|svg|jpe?g|gif|woff2)$/;

/** @param {string} name */
const devFile = (name) => path.join(__dirname, 'dev', name);

/**
 * Edits of components keep their state (React Refresh).
 * @param {string} name of the workspace
 */
const hotPlugins = (name) => [
  new rspack.HotModuleReplacementPlugin(),
  new rspack.DefinePlugin({ DEV_NAME: JSON.stringify(name) }),
  new (require('@rspack/plugin-react-refresh').ReactRefreshRspackPlugin)({
    injectEntry: false,
    exclude: [/[\\/]node_modules[\\/]/, devFile('.')],
  }),
];

/**
 * A module that consumes a singleton has no bytes. Unless the minimum size of a chunk counts for these too, they get chunks of
 * their own, which the bundler orders nondeterministically: the same source would get another version now and then.
 */
const splitChunks = { defaultSizeTypes: ['...', 'consume-shared'] };

/**
 * `remote`: the name of the remote whose pages the styles apply to; none for the shell. `hot`: edits are applied in the open
 * page.
 * @param {ProductRecipe} product
 * @param {string} directory
 * @param {{ uniqueName: string, remote?: string } & ConfigOptions} options
 * @returns {WholeConfiguration}
 */
function commonConfig(product, directory, { uniqueName, mode, remote, hot = false }) {
  const development = mode === 'development';
  // Short content hashes keep addresses readable; the release folder already makes them unique.
  const fileName = development ? '[name]' : '[name].[contenthash:8]';
  const swc = {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic', development: false, refresh: hot } },
      target: 'es2022',
    },
  };
  return {
    mode,
    context: directory,
    target: ['web', 'es2022'],
    devtool: development ? 'cheap-module-source-map' : false,
    lazyCompilation: false,
    output: {
      path: path.join(directory, 'dist'),
      publicPath: 'auto',
      // The name contains the version: under the same name a replaced release would silently continue to show the old one.
      uniqueName,
      filename: `${fileName}.js`,
      chunkFilename: `${fileName}.js`,
      cssFilename: `${fileName}.css`,
      cssChunkFilename: `${fileName}.css`,
      assetModuleFilename: 'assets/[name].[contenthash:8][ext]',
      crossOriginLoading: 'anonymous',
      trustedTypes: { policyName: 'releases', onPolicyCreationFailure: 'continue' },
      clean: true,
      environment: { dynamicImport: true, module: true },
    },
    resolve: {
      extensions: ['.tsx', '.ts', '.js'],
      alias: { ...leanFederation(), ...(development ? {} : productionBuilds(product.folder)) },
    },
    module: {
      rules: [
        {
          test: /\.[jt]sx?$/,
          // The product's and the platform's own packages are sources, also when they are installed from a registry.
          exclude: new RegExp(`node_modules[\\\\/](?!(?:${[...product.scopes, '@platform'].join('|')})[\\\\/])`),
          loader: 'builtin:swc-loader',
          options: swc,
          type: 'javascript/auto',
        },
        {
          test: /\.css$/,
          use: [
            rspack.CssExtractRspackPlugin.loader,
            require.resolve('css-loader'),
            ...(remote ? [{ loader: require.resolve('./scope-styles.cjs'), options: { remote } }] : []),
          ],
          type: 'javascript/auto',
        },
        { test: assetFile, type: 'asset/resource' },
      ],
    },
    optimization: {
      minimize: !development,
      // An open page continues with the last complete build.
      ...(hot && { emitOnErrors: false }),
      // "natural", because "deterministic" hashes names, and those of shared modules contain the absolute path of this checkout.
      moduleIds: development ? 'named' : 'natural',
      chunkIds: development ? 'named' : 'natural',
      splitChunks,
      minimizer: [
        new rspack.SwcJsMinimizerRspackPlugin({
          extractComments: false,
          minimizerOptions: {
            ecma: 2022,
            compress: { passes: 3, ecma: 2022 },
            // Counting characters breaks ties nondeterministically, and the same source would get another version now and then.
            // The bundler's types lack the option.
            mangle: /** @type {object} */ ({ disableCharFreq: true }),
            format: { comments: false },
          },
        }),
        new rspack.LightningCssMinimizerRspackPlugin({ minimizerOptions: { targets: BROWSERS } }),
      ],
    },
    plugins: [
      new rspack.CssExtractRspackPlugin({
        filename: `${fileName}.css`,
        chunkFilename: `${fileName}.css`,
        ignoreOrder: true,
      }),
      new rspack.DefinePlugin({
        LINKED_PAGES: JSON.stringify(development ? pathsOfPages(product, directory) : linkedPages(product, directory)),
        'process.env.NODE_ENV': JSON.stringify(development ? 'development' : 'production'),
      }),
      ...(development ? [] : [new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] })]),
      ...(hot ? hotPlugins(remote ?? 'shell') : []),
    ],
    performance: false,
    stats: 'errors-warnings',
    infrastructureLogging: { level: 'error' },
  };
}

const serverFolder = 'server';

/**
 * The server build of the same source: CommonJS for Node, readable, so that a fault names its location, and without styles. A
 * file `*.server.ts(x)` replaces the file of the same name that needs a browser. Pictures keep the addresses of the browser's
 * build.
 * @param {WholeConfiguration} config of the browser's build
 * @param {{ name: string, version: string, exposes?: FederationOptions['exposes'], shared: FederationOptions['shared'] }} options
 * @returns {WholeConfiguration}
 */
function forServer(config, { name, version, exposes, shared }) {
  const uniqueName = identifier(name, version);
  const library = { type: 'commonjs-module' };
  const output = {
    path: path.join(config.output.path, serverFolder),
    uniqueName,
    filename: '[name].js',
    chunkFilename: '[name].js',
    // Names are relative to the workspace, so that the maps are the same in every folder.
    devtoolModuleFilenameTemplate: '[resource-path]',
    assetModuleFilename: config.output.assetModuleFilename,
    pathinfo: false,
    publicPath: `/r/${name}/${version}/`,
    chunkLoading: 'require',
    clean: true,
    ...(!exposes && { library }),
  };
  const [scripts] = config.module.rules;
  return {
    ...config,
    target: 'async-node20',
    // The gate reports the line of the source at which a page fails.
    devtool: 'hidden-nosources-source-map',
    output,
    resolve: { ...config.resolve, extensions: ['.server.tsx', '.server.ts', ...config.resolve.extensions] },
    module: {
      rules: [
        scripts,
        {
          test: /\.css$/,
          type: 'asset/source',
          generator: { emit: false },
          use: require.resolve('./no-styles.cjs'),
        },
        { test: assetFile, type: 'asset/resource', generator: { emit: false } },
      ],
    },
    optimization: {
      moduleIds: 'natural',
      chunkIds: 'natural',
      splitChunks,
      minimizer: [
        // Only comments are removed: those of shared modules contain the path of this checkout.
        new rspack.SwcJsMinimizerRspackPlugin({
          extractComments: false,
          minimizerOptions: { compress: false, mangle: false, format: { comments: false, beautify: true } },
        }),
      ],
    },
    plugins: [
      ...config.plugins.filter((plugin) => plugin instanceof rspack.DefinePlugin),
      new ModuleFederationPlugin({
        ...bareFederation,
        manifest: false,
        experiments: { optimization: { disableSnapshot: true, target: 'node' } },
        name: uniqueName,
        shared,
        ...(exposes && { library, filename: 'main.js', exposes }),
      }),
    ],
  };
}

/** @param {string} name @param {string} version */
function identifier(name, version) {
  return `mfe_${name}_${version.replace(/[^a-zA-Z0-9]/g, '_')}`;
}

/** @param {string} page */
const exposedChunk = (page) => page.replace('./', '');

/**
 * The version of the interface between shell and entries: Module Federation's container interface (`init`, `get`) and its share
 * scope. The gate refuses a remote and a shell with different versions.
 */
const containerInterface = '1.0.0';

/** @param {string[]} files */
const groupOf = (files) => ({
  js: files.filter((file) => file.endsWith('.js')),
  css: files.filter((file) => file.endsWith('.css')),
});

/** @param {Iterable<import('@rspack/core').Module>} modules @param {ProductRecipe['singletons']} singletons */
function consumedBy(modules, singletons) {
  /** @type {Set<string>} */
  const consumed = new Set();
  for (const module of modules) {
    if (module.type !== 'consume-shared-module') continue;
    // consume shared module (<scope>) <name>@<range> …
    const name = /^\S+ shared module \(\w+\) (.+?)@\^/.exec(module.identifier())?.[1] ?? '';
    if (!singletons[name]) throw new Error(`not one of the shared singletons: ${module.identifier()}`);
    consumed.add(name);
  }
  return consumed;
}

/**
 * Returns the lazy singletons without which a page's chunks do not run.
 * @param {import('@rspack/core').Stats} stats
 * @param {string} chunkGroup
 * @param {ProductRecipe['singletons']} singletons
 */
function lazySingletonsOf({ compilation: { chunkGraph, namedChunkGroups } }, chunkGroup, singletons) {
  const chunks = namedChunkGroups.get(chunkGroup)?.chunks ?? [];
  const consumed = consumedBy(
    chunks.flatMap((chunk) => [...chunkGraph.getChunkModules(chunk)]),
    singletons,
  );
  return [...consumed].filter((name) => singletons[name]?.lazy).sort();
}

/**
 * Describes a shell by a build's statistics: the files of each lazy singleton, so that a document can preload those that its page
 * needs: if only the shell's code named them, they would cost one more round trip. The shell provides all singletons.
 * @param {ProductRecipe} product
 * @param {import('@rspack/core').Stats} stats
 * @returns {import('./types').Described}
 */
function describeHost({ singletons }, { compilation }) {
  const { chunkGraph, chunks, modules } = compilation;
  /** @type {import('./types').Described['exposes']} */
  const exposes = {};
  for (const provided of modules) {
    // provide module (<scope>) <name>@<version> = <file>
    const [, name = '', file] = /^provide \S* ?module \(\w+\) (.+?)@\S+ = (.+)$/.exec(provided.identifier()) ?? [];
    if (!singletons[name]?.lazy) continue;
    const ownChunks = [...chunks].filter((chunk) =>
      [...chunkGraph.getChunkModules(chunk)].some((module) => module.nameForCondition?.() === file),
    );
    const files = ownChunks.flatMap((chunk) => [...chunk.groupsIterable].flatMap((group) => group.getFiles()));
    exposes[name] = groupOf([...new Set(files)].sort());
  }
  const provides = Object.entries(singletons).map(([name, { version }]) => [name, version]);
  return { exposes, singletons: { provides: Object.fromEntries(provides), needs: {} } };
}

/**
 * Describes a remote by a build's statistics: the files of each page besides the entry, and the singletons that it consumes.
 * Lists are sorted, because their order differs from build to build.
 * @param {ProductRecipe} product
 * @param {import('@rspack/core').Stats} stats
 * @param {RemoteContract} contract
 * @returns {import('./types').Described}
 */
function describeRemote({ singletons }, stats, contract) {
  const { namedChunkGroups = {} } = stats.toJson({ all: false, chunkGroups: true });
  /** @type {import('./types').Described['exposes']} */
  const exposes = {};
  for (const { page } of contract.routes) {
    const files = (namedChunkGroups[exposedChunk(page)]?.assets ?? []).map(({ name }) => name).sort();
    const lazy = lazySingletonsOf(stats, exposedChunk(page), singletons);
    exposes[page] = { ...groupOf(files), ...(lazy.length > 0 && { shares: lazy }) };
  }
  const consumed = consumedBy(stats.compilation.modules, singletons);
  const needs = Object.entries(singletons).flatMap(([name, { version }]) =>
    consumed.has(name) ? [[name, rangeOf(version)]] : [],
  );
  return { exposes, singletons: { provides: {}, needs: Object.fromEntries(needs) } };
}

/** @param {RemoteContract} contract */
const exposesOf = (contract, loader = '') =>
  Object.fromEntries(
    contract.routes.map((route) => [route.page, { import: loader + route.module, name: exposedChunk(route.page) }]),
  );

/**
 * Returns the dependencies of the package of the shared entry points, except those that its users must import by name, which are
 * shared.
 * @param {ProductRecipe} product
 */
function platformPackages({ folder, singletons }) {
  const file = path.join(folder, 'package.json');
  const { name, dependencies, peerDependencies } = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  const provided = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !singletons[name]);
  return { provided, by: name };
}

/** @param {ProductRecipe} product @param {string} directory @param {ConfigOptions} options */
function remoteConfig(
  product,
  directory,
  { version = 'local', mode = 'production', server = false, hot = false } = {},
) {
  const contract = JSON.parse(fs.readFileSync(path.join(directory, 'remote.json'), 'utf8'));
  const uniqueName = identifier(contract.name, version);
  const config = commonConfig(product, directory, { uniqueName, mode, remote: contract.name, hot });
  config.plugins.push(ownImports({ directory, ...platformPackages(product) }));
  if (hot) config.resolve.alias['react-refresh'] = devFile('refresh');
  const shared = sharedFor(product, 'remote');
  if (server)
    return { ...forServer(config, { name: contract.name, version, exposes: exposesOf(contract), shared }), entry: {} };
  return {
    ...config,
    name: contract.name,
    entry: {},
    plugins: [
      ...config.plugins,
      new ModuleFederationPlugin({
        ...bareFederation,
        name: uniqueName,
        library: { type: 'var', name: uniqueName },
        filename: 'remoteEntry.js',
        exposes: exposesOf(contract, hot ? `!!${devFile('page-module.cjs')}!` : ''),
        shared,
      }),
    ],
  };
}

/** @param {ProductRecipe} product @param {string} directory @param {ConfigOptions} options */
function hostConfig(product, directory, { version = 'local', mode = 'production', server = false, hot = false } = {}) {
  const uniqueName = identifier('shell', version);
  const config = commonConfig(product, directory, { uniqueName, mode, hot });
  const shared = sharedFor(product, 'shell', server);
  if (server)
    return { ...forServer(config, { name: 'shell', version, shared }), entry: { main: './src/server/main.tsx' } };
  return {
    ...config,
    name: 'shell',
    entry: { main: [...(hot ? [devFile('refresh-of-page.js'), devFile('hot-client.js')] : []), './src/main.tsx'] },
    // The bundler's own limit is two minutes.
    output: { ...config.output, chunkLoadTimeout: 20_000 },
    // A separate file for a library is not cached longer, because a release's files have its version in their address: it would
    // cost a request, and a hash in the first script.
    optimization: {
      ...config.optimization,
      splitChunks: { ...splitChunks, cacheGroups: { defaultVendors: /** @type {const} */ (false) } },
    },
    plugins: [
      ...config.plugins,
      new rspack.DefinePlugin({ SHELL_VERSION: JSON.stringify(version) }),
      new ModuleFederationPlugin({ ...bareFederation, name: uniqueName, shared }),
    ],
  };
}

/**
 * Creates the recipe of a product. The module of links finds the pages that a workspace links to in the constant LINKED_PAGES:
 * path by name; in development all pages.
 * @param {ProductRecipe} product
 * @returns {import('./types').Recipe}
 */
exports.recipe = (product) => ({
  hostConfig: (directory, options) => hostConfig(product, directory, options),
  remoteConfig: (directory, options) => remoteConfig(product, directory, options),
  commonConfig: (directory, options) => commonConfig(product, directory, options),
  describeHost: (stats) => describeHost(product, stats),
  describeRemote: (stats, contract) => describeRemote(product, stats, contract),
  usesOf: (files, directory) => usesOf(product, files, directory),
  singletons: product.singletons,
});
exports.containerInterface = containerInterface;
exports.groupOf = groupOf;
exports.serverFolder = serverFolder;
