'use strict';
/** Builds the stock remote with other options of the plugin. Arguments: the output folder, the container's name, options as JSON. */
const path = require('node:path');
const { ModuleFederationPlugin } = require('@module-federation/enhanced/rspack');
const { rspack } = require('@rspack/core');
const { entryPoints } = require('@shop/shared/package.json');

const fixture = path.resolve(__dirname, '../../../e2e/fixtures/stock-remote');
const config = require(path.join(fixture, 'rspack.config.cjs'));
const [, , output, name, json] = process.argv;
const { plugin, react, shared } = JSON.parse(json);
const share = { singleton: true, ...shared };
const entryPoint = (entry) => ({ ...share, requiredVersion: `^${entryPoints[entry]}` });

rspack({
  ...config,
  output: { ...config.output, path: output, uniqueName: name },
  plugins: [
    new ModuleFederationPlugin({
      name,
      filename: 'remoteEntry.js',
      exposes: { './promo': './src/promo-page.tsx' },
      shared: {
        react: { ...share, ...react },
        'react/jsx-runtime': { ...share, ...react },
        '@shop/shared/session': entryPoint('session'),
        '@shop/shared/router': entryPoint('router'),
      },
      dts: false,
      ...plugin,
    }),
    new rspack.CopyRspackPlugin({ patterns: [{ from: path.join(fixture, 'remote.json') }] }),
  ],
}).run((error, stats) => {
  if (!error && !stats.hasErrors()) return;
  console.error(error ?? stats.toString('errors-only'));
  process.exitCode = 1;
});
