/**
 * The one build recipe. A workspace's rspack.config.js is one line: `module.exports = require('../rspack.base.js').remoteConfig(__dirname)`.
 * Why each option stands here: docs/adr/0001-federation-set-up.md.
 */
const fs = require('node:fs');
const path = require('node:path');
const rspack = require('@rspack/core');
const { ModuleFederationPlugin } = require('@module-federation/enhanced/rspack');

const root = __dirname;

function versionOf(packageName) {
  return JSON.parse(
    fs.readFileSync(
      require.resolve(`${packageName}/package.json`, { paths: [path.join(root, 'shared'), root] }),
      'utf8',
    ),
  ).version;
}

const platformVersion = versionOf('@shop/shared');

/**
 * The one list of shared singletons: what squads use of the platform. Explicit faces instead of whole libraries
 * (docs/adr/0004-platform-subset.md gives the bytes). `lazy` ones come from the shell in a chunk of their own.
 */
const singletons = {
  react: { version: versionOf('react') },
  'react/jsx-runtime': { version: versionOf('react') },
  '@shop/shared/domain': { version: platformVersion },
  '@shop/shared/money': { version: platformVersion },
  '@shop/shared/session': { version: platformVersion },
  '@shop/shared/state': { version: platformVersion },
  '@shop/shared/http': { version: platformVersion },
  '@shop/shared/query': { version: platformVersion },
  '@shop/shared/i18n': { version: platformVersion },
  '@shop/shared/router': { version: platformVersion },
  '@shop/shared/ui': { version: platformVersion },
  '@shop/shared/forms': { version: platformVersion, lazy: true },
};

/** A remote needs the same major, and at least the minor it was built with. */
const rangeOf = (version) => `^${version}`;

function sharedFor(kind) {
  const entries = Object.entries(singletons).map(([name, { version, lazy }]) => [
    name,
    {
      singleton: true,
      strictVersion: true,
      version,
      requiredVersion: rangeOf(version),
      ...(kind === 'remote' ? { import: false } : { eager: !lazy }),
    },
  ]);
  return Object.fromEntries(entries);
}

/**
 * The plugin builds in the CommonJS files of Module Federation's runtime. Its ES modules do the same and shed what is not
 * used (bench/README.md has the bytes). Keys that are paths are what the plugin itself asks for.
 */
function runtimeAsModules() {
  const from = [path.dirname(require.resolve('@module-federation/enhanced/rspack'))];
  const commonJs = (request) => require.resolve(request, { paths: from });
  const esModule = (request, file) => path.join(path.dirname(commonJs(request)), file);
  const names = ['webpack-bundler-runtime', 'inject-external-runtime-core-plugin'].map(
    (name) => `@module-federation/${name}`,
  );
  return {
    ...Object.fromEntries(names.map((name) => [commonJs(name), esModule(name, 'index.js')])),
    '@module-federation/runtime-tools/runtime-core$': esModule('@module-federation/runtime-tools', 'runtime-core.js'),
    '@module-federation/runtime/core$': esModule('@module-federation/runtime', 'core.js'),
    '@module-federation/runtime': esModule('@module-federation/runtime', 'index.js'),
  };
}

/** Short content hashes keep addresses readable; the release folder already makes them unique. */
const hashed = (extension) => `[name].[contenthash:8].${extension}`;

function commonConfig(directory, { uniqueName, mode, extract = true }) {
  const development = mode === 'development';
  return {
    mode,
    context: directory,
    target: ['web', 'es2022'],
    devtool: development ? 'cheap-module-source-map' : false,
    lazyCompilation: false,
    output: {
      path: path.join(directory, 'dist'),
      publicPath: 'auto',
      // The version is in it: under the same name a swapped release would silently go on showing the old one.
      uniqueName,
      filename: development ? '[name].js' : hashed('js'),
      chunkFilename: development ? '[name].js' : hashed('js'),
      cssFilename: development ? '[name].css' : hashed('css'),
      cssChunkFilename: development ? '[name].css' : hashed('css'),
      assetModuleFilename: 'assets/[name].[contenthash:8][ext]',
      crossOriginLoading: 'anonymous',
      trustedTypes: { policyName: 'shop-loader', onPolicyCreationFailure: 'continue' },
      clean: true,
      environment: { dynamicImport: true, module: true },
    },
    resolve: { extensions: ['.tsx', '.ts', '.js'], alias: runtimeAsModules() },
    module: {
      rules: [
        {
          test: /\.[jt]sx?$/,
          exclude: /node_modules/,
          loader: 'builtin:swc-loader',
          options: {
            jsc: {
              parser: { syntax: 'typescript', tsx: true },
              transform: { react: { runtime: 'automatic', development: false } },
              target: 'es2022',
            },
          },
          type: 'javascript/auto',
        },
        extract
          ? { test: /\.css$/, use: [rspack.CssExtractRspackPlugin.loader, 'css-loader'], type: 'javascript/auto' }
          : { test: /\.css$/, use: ['style-loader', 'css-loader'], type: 'javascript/auto' },
        { test: /\.(webp|avif|png|svg)$/, type: 'asset/resource' },
      ],
    },
    optimization: {
      minimize: !development,
      moduleIds: development ? 'named' : 'deterministic',
      chunkIds: development ? 'named' : 'deterministic',
      minimizer: [
        new rspack.SwcJsMinimizerRspackPlugin({
          extractComments: false,
          minimizerOptions: { format: { comments: false } },
        }),
        new rspack.LightningCssMinimizerRspackPlugin(),
      ],
    },
    plugins: [
      new rspack.CssExtractRspackPlugin({
        filename: development ? '[name].css' : hashed('css'),
        chunkFilename: development ? '[name].css' : hashed('css'),
        ignoreOrder: true,
      }),
      new rspack.DefinePlugin({ 'process.env.NODE_ENV': JSON.stringify(development ? 'development' : 'production') }),
      ...(development ? [] : [new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] })]),
    ],
    performance: false,
    stats: 'errors-warnings',
    infrastructureLogging: { level: 'error' },
  };
}

function identifier(name, version) {
  return `shop_${name}_${version.replace(/[^a-zA-Z0-9]/g, '_')}`;
}

/** `version` is the release's; a build that is never published has none. */
function remoteConfig(directory, { version = 'local', mode = 'production' } = {}) {
  const contract = JSON.parse(fs.readFileSync(path.join(directory, 'remote.json'), 'utf8'));
  const uniqueName = identifier(contract.name, version);
  const config = commonConfig(directory, { uniqueName, mode });
  return {
    ...config,
    name: contract.name,
    entry: {},
    plugins: [
      ...config.plugins,
      new ModuleFederationPlugin({
        name: uniqueName,
        filename: 'remoteEntry.js',
        exposes: Object.fromEntries(
          contract.routes.map((route) => [route.page, { import: route.module, name: route.page.replace('./', '') }]),
        ),
        shared: sharedFor('remote'),
        shareStrategy: 'loaded-first',
        manifest: true,
        dts: false,
        dev: false,
        experiments: {
          asyncStartup: true,
          externalRuntime: mode === 'production',
          optimization: { disableSnapshot: true, target: 'web' },
        },
      }),
    ],
  };
}

function hostConfig(directory, { version = 'local', mode = 'production' } = {}) {
  const uniqueName = identifier('shell', version);
  const config = commonConfig(directory, { uniqueName, mode });
  return {
    ...config,
    name: 'shell',
    entry: { main: './src/main.tsx' },
    plugins: [
      ...config.plugins,
      new rspack.DefinePlugin({ SHELL_VERSION: JSON.stringify(version) }),
      new ModuleFederationPlugin({
        name: uniqueName,
        filename: undefined,
        remotes: {},
        shared: sharedFor('shell'),
        shareStrategy: 'loaded-first',
        manifest: true,
        dts: false,
        dev: false,
        experiments: { provideExternalRuntime: true, optimization: { disableSnapshot: true, target: 'web' } },
      }),
    ],
  };
}

module.exports = { hostConfig, remoteConfig, singletons, rangeOf, commonConfig };
