'use strict';
/**
 * Builds the shop's source as one ordinary application, with a chunk per page and without Module Federation, in a separate
 * process (platform/build/src/compile.cjs explains why). Loaders, minimizer and targets come from the shop's own build config.
 * Argument: output folder. Sends {entry: {js, css}} or {error}.
 */
const fs = require('node:fs');
const path = require('node:path');
const rspack = require('@rspack/core');
const base = require('../../../rspack.base.js');

const root = path.resolve(__dirname, '..', '..', '..');
const shell = path.join(root, 'shell');
const remotes = fs
  .readdirSync(root)
  .filter((folder) => folder.startsWith('mfe-'))
  .map((folder) => ({
    folder: path.join(root, folder),
    contract: JSON.parse(fs.readFileSync(path.join(root, folder, 'remote.json'), 'utf8')),
  }));

/** Writes a module that the bundler can resolve; its content depends on the remotes of this checkout. */
function generated(name, text) {
  const folder = path.join(root, 'node_modules', '.cache', 'shop-bench');
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
}

function pagesModule() {
  const pages = remotes.flatMap(({ folder, contract }) =>
    contract.routes.map(({ page, module }) => {
      const id = `${contract.name}/${page.replace('./', '')}`;
      const chunk = JSON.stringify(id.replaceAll('/', '-'));
      return `  ${JSON.stringify(id)}: () => import(/* webpackChunkName: ${chunk} */ ${JSON.stringify(path.join(folder, module))}),`;
    }),
  );
  return generated('pages.js', `export const pages = {\n${[...new Set(pages)].join('\n')}\n};\n`);
}

function contractsModule() {
  const list = remotes.map(({ contract }) => contract);
  return generated('contracts.js', `export const contracts = ${JSON.stringify(list)};\n`);
}

/** Replaces a module that the shell or the platform's loader imports with one of this folder. */
function replaceInShell(wanted, file) {
  const askers = [shell, path.join(root, 'platform/host/src')];
  return new rspack.NormalModuleReplacementPlugin(wanted, (request) => {
    if (askers.some((folder) => request.context.startsWith(folder))) request.request = path.join(__dirname, file);
  });
}

const config = base.commonConfig(shell, { uniqueName: 'spa', mode: 'production' });
const compiler = rspack.rspack({
  ...config,
  entry: { main: './src/main.tsx' },
  output: { ...config.output, path: process.argv[2] },
  resolve: {
    ...config.resolve,
    alias: { ...config.resolve.alias, 'bench-contracts$': contractsModule(), 'bench-pages$': pagesModule() },
  },
  plugins: [
    // An ordinary application has no integrity hashes, and its code links to the pages of all remotes.
    ...config.plugins.filter(
      (plugin) => ![rspack.SubresourceIntegrityPlugin, rspack.DefinePlugin].some((kind) => plugin instanceof kind),
    ),
    replaceInShell(/\/release-map$/, 'bundled-map.ts'),
    replaceInShell(/\/containers$/, 'plain-imports.ts'),
    new rspack.DefinePlugin({
      'process.env.NODE_ENV': JSON.stringify('production'),
      SHELL_VERSION: JSON.stringify('bench'),
    }),
  ],
});
compiler.run((error, stats) => {
  compiler.close(() => {
    if (error) return process.send({ error: String(error.stack ?? error) });
    if (stats.hasErrors()) return process.send({ error: stats.toString({ preset: 'errors-only', colors: false }) });
    const { entrypoints } = stats.toJson({ all: false, entrypoints: true });
    const names = entrypoints.main.assets.map(({ name }) => name);
    const ending = (extension) => names.filter((name) => name.endsWith(extension));
    process.send({ entry: { js: ending('.js'), css: ending('.css') } });
    process.disconnect();
  });
});
