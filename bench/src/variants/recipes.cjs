'use strict';
/**
 * The same source, built the other ways. Everything that is not about composition (loaders, minimiser, targets) is the shop's
 * own recipe, rspack.base.js.
 */
const fs = require('node:fs');
const path = require('node:path');
const { ModuleFederationPlugin } = require('@module-federation/enhanced/rspack');
const rspack = require('@rspack/core');
const base = require('../../../rspack.base.js');

const root = path.resolve(__dirname, '..', '..', '..');
const shell = path.join(root, 'shell');

function contracts() {
  return fs
    .readdirSync(root)
    .filter((folder) => folder.startsWith('mfe-') && fs.existsSync(path.join(root, folder, 'remote.json')))
    .map((folder) => ({
      folder: path.join(root, folder),
      contract: JSON.parse(fs.readFileSync(path.join(root, folder, 'remote.json'), 'utf8')),
    }));
}

/** The shop's recipe without what only the composition needs: hashes in the page and a version in every name. */
function plain(directory, uniqueName, output) {
  const config = base.commonConfig(directory, { uniqueName, mode: 'production' });
  return {
    ...config,
    output: { ...config.output, path: output },
    plugins: config.plugins.filter((plugin) => !(plugin instanceof rspack.SubresourceIntegrityPlugin)),
  };
}

/** Writes a module that the bundler can follow; what is in it depends on the remotes of this checkout. */
function generated(name, text) {
  const folder = path.join(root, 'node_modules', '.cache', 'shop-bench', 'generated');
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
}

function contractsModule(file) {
  const list = contracts().map(({ contract }) => contract);
  return generated(file, `export const contracts = ${JSON.stringify(list)};\n`);
}

/** Puts a module of this folder in the place of one that the shell's own source asks for. */
function replaceInShell(wanted, file) {
  return new rspack.NormalModuleReplacementPlugin(wanted, (request) => {
    if (request.context.startsWith(shell)) request.request = path.join(__dirname, file);
  });
}

function host(uniqueName, output, runtime, alias = {}) {
  const config = plain(shell, uniqueName, output);
  return {
    ...config,
    name: uniqueName,
    resolve: {
      ...config.resolve,
      alias: { ...config.resolve.alias, 'bench-contracts$': contractsModule(`${uniqueName}-contracts.js`), ...alias },
    },
    plugins: [
      ...config.plugins,
      replaceInShell(/\/release-map$/, 'bundled-map.ts'),
      replaceInShell(/\/containers$/, runtime),
      new rspack.DefinePlugin({ SHELL_VERSION: JSON.stringify('bench') }),
    ],
  };
}

/** One ordinary application: a chunk for each page, no Module Federation. */
function spa(output) {
  const pages = contracts().flatMap(({ folder, contract }) =>
    contract.routes.map(({ page, module }) => {
      const id = `${contract.name}/${page.replace('./', '')}`;
      const chunk = id.replaceAll('/', '-');
      return `  ${JSON.stringify(id)}: () => import(/* webpackChunkName: ${JSON.stringify(chunk)} */ ${JSON.stringify(path.join(folder, module))}),`;
    }),
  );
  return {
    ...host('spa', output, 'plain-imports.ts', {
      'bench-pages$': generated('pages.js', `export const pages = {\n${[...new Set(pages)].join('\n')}\n};\n`),
    }),
    entry: { main: './src/main.tsx' },
  };
}

/** Whole libraries as singletons, as the documentation and most examples have it, and the workspace's own packages. */
function wholeLibraries() {
  const read = (...file) => JSON.parse(fs.readFileSync(path.join(root, ...file, 'package.json'), 'utf8'));
  const platform = read('shared');
  const { react, 'react-dom': reactDom } = read().devDependencies;
  const shared = {};
  // Versions are pinned exactly, so the range is the caret of what is installed.
  for (const [name, version] of Object.entries({ ...platform.dependencies, react, 'react-dom': reactDom }))
    shared[name] = { singleton: true, requiredVersion: `^${version}` };
  for (const name of Object.keys(base.singletons).filter((one) => one.startsWith('@shop/')))
    shared[name] = { singleton: true, requiredVersion: `^${platform.version}` };
  return shared;
}

const addressOf = (name) => `/bench/${name}/`;

function defaultsHost(output) {
  const config = host('shop_shell', output, 'default-runtime.ts');
  return {
    ...config,
    entry: { main: path.join(__dirname, 'async-boundary.ts') },
    plugins: [
      ...config.plugins,
      new ModuleFederationPlugin({
        // Between equal versions the runtime takes the greater name: this way the shell's own copies win, as one hopes for.
        name: 'shop_shell',
        remotes: Object.fromEntries(
          contracts().map(({ contract: { name } }) => [name, `shop_${name}@${addressOf(name)}mf-manifest.json`]),
        ),
        shared: wholeLibraries(),
        shareStrategy: 'version-first',
        dts: false,
      }),
    ],
  };
}

function defaultsRemote(name, output) {
  const found = contracts().find(({ contract }) => contract.name === name);
  const config = plain(found.folder, `shop_${name}`, output);
  return {
    ...config,
    name,
    entry: {},
    plugins: [
      ...config.plugins,
      new ModuleFederationPlugin({
        name: `shop_${name}`,
        filename: 'remoteEntry.js',
        exposes: Object.fromEntries(found.contract.routes.map(({ page, module }) => [page, module])),
        shared: wholeLibraries(),
        shareStrategy: 'version-first',
        manifest: true,
        dts: false,
      }),
    ],
  };
}

/** What remotes and the shell share, by the names under which the import map has it. */
const sharedNames = [...Object.keys(base.singletons), 'react-dom', 'react-dom/client'];

/** Native modules: names of the import map stay as they are. */
function nativeModules(config, external) {
  return {
    ...config,
    output: {
      ...config.output,
      module: true,
      chunkFormat: 'module',
      chunkLoading: 'import',
      library: { type: 'module' },
      filename: '[name].js',
      cssFilename: '[name].css',
    },
    externalsType: 'module',
    externals: Object.fromEntries(external.map((name) => [name, name])),
    plugins: config.plugins.map((plugin) =>
      plugin instanceof rspack.CssExtractRspackPlugin
        ? new rspack.CssExtractRspackPlugin({ filename: '[name].css', chunkFilename: '[name].css', ignoreOrder: true })
        : plugin,
    ),
  };
}

/** Export names of a CommonJS library, known only after running it; a development build has more. */
function namesOf(library) {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    return Object.keys(require(require.resolve(library, { paths: [shell] })));
  } finally {
    process.env.NODE_ENV = before;
  }
}

/** Each shared module as one file, with common dependencies in further files. */
function importMapPlatform(output) {
  const config = nativeModules(plain(path.join(root, 'shared'), 'platform', output), []);
  const entry = Object.fromEntries(
    sharedNames.map((name) => {
      const id = fileNameOf(name);
      const names = name.startsWith('@shop/') ? '*' : `{ ${namesOf(name).join(', ')} }`;
      return [id, generated(`platform-${id}.js`, `export ${names} from '${name}';\n`)];
    }),
  );
  return {
    ...config,
    entry,
    optimization: { ...config.optimization, runtimeChunk: 'single', splitChunks: { chunks: 'all', minSize: 0 } },
  };
}

const fileNameOf = (name) => name.replace('@shop/', '').replaceAll('/', '-');

function importMapHost(output) {
  const config = nativeModules(host('import_map', output, 'native-imports.ts'), sharedNames);
  return { ...config, entry: { main: './src/main.tsx' } };
}

function importMapRemote(name, output) {
  const { folder, contract } = contracts().find((one) => one.contract.name === name);
  const config = nativeModules(plain(folder, `map_${name}`, output), sharedNames);
  return {
    ...config,
    name,
    entry: Object.fromEntries(contract.routes.map(({ page, module }) => [page.replace('./', ''), module])),
  };
}

module.exports = {
  importMapPlatform,
  importMapHost,
  importMapRemote,
  sharedNames,
  fileNameOf,
  spa,
  defaultsHost,
  defaultsRemote,
  contracts,
  addressOf,
};
