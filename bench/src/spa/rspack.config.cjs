'use strict';
/**
 * The shop's source as one ordinary application, with a chunk per page and without Module Federation. Loaders, minimizer and
 * targets come from the shop's own build config.
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

const pages = remotes.flatMap(({ folder, contract }) =>
  contract.routes.map(({ page, module }) => {
    const id = `${contract.name}/${page.replace('./', '')}`;
    const chunk = JSON.stringify(id.replaceAll('/', '-'));
    return `  ${JSON.stringify(id)}: () => import(/* webpackChunkName: ${chunk} */ ${JSON.stringify(path.join(folder, module))}),`;
  }),
);
const contracts = JSON.stringify(remotes.map(({ contract }) => contract));

const html = `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<link rel="icon" href="/icon.svg" type="image/svg+xml"></head><body><div id="root"></div></body></html>`;

/** Replaces modules that the shell or the platform's loader imports. */
const askers = [shell, path.join(root, 'platform/host/src')];
const replaceInShell = new rspack.NormalModuleReplacementPlugin(/\/(release-map|containers)$/, (request) => {
  if (askers.some((folder) => request.context.startsWith(folder)))
    request.request = path.join(__dirname, 'shell-modules.ts');
});

const config = base.commonConfig(shell, { uniqueName: 'spa', mode: 'production' });
module.exports = {
  ...config,
  entry: { main: './src/main.tsx' },
  plugins: [
    // An ordinary application has no integrity hashes, and its code links to the pages of all remotes.
    ...config.plugins.filter(
      (plugin) => ![rspack.SubresourceIntegrityPlugin, rspack.DefinePlugin].some((kind) => plugin instanceof kind),
    ),
    new rspack.experiments.VirtualModulesPlugin({
      [path.join(root, 'node_modules/bench-remotes/index.js')]:
        `export const pages = {\n${[...new Set(pages)].join('\n')}\n};\nexport const contracts = ${contracts};\n`,
    }),
    replaceInShell,
    new rspack.DefinePlugin({
      'process.env.NODE_ENV': JSON.stringify('production'),
      SHELL_VERSION: JSON.stringify('bench'),
    }),
    new rspack.HtmlRspackPlugin({ templateContent: html, publicPath: '/bench/spa/' }),
  ],
};
