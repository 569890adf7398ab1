'use strict';
/**
 * Builds a remote as in the documentation of Module Federation: with the official plugin, without rspack.base.js. Arguments: the
 * output folder, the container's name, and as JSON other options than the plugin's defaults. Every release needs another name.
 */
const path = require('node:path');
const { ModuleFederationPlugin } = require('@module-federation/enhanced/rspack');
const { rspack } = require('@rspack/core');
const { entryPoints } = require('@shop/shared/package.json');

const context = path.resolve(__dirname, '../../../e2e/fixtures/stock-remote');
const [, , output, name, json = '{}'] = process.argv;
const { plugin, react, shared } = JSON.parse(json);
const share = { singleton: true, ...shared };
/** Each entry point has its own version, but the plugin would require the version of the package. */
const entryPoint = (entry) => ({ ...share, requiredVersion: `^${entryPoints[entry]}` });

rspack({
  mode: 'production',
  context,
  entry: {},
  output: {
    path: output,
    publicPath: 'auto',
    uniqueName: name,
    crossOriginLoading: 'anonymous',
    // The shop's Content Security Policy requires it of any script that loads scripts.
    trustedTypes: { policyName: 'releases' },
    clean: true,
  },
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  module: {
    rules: [
      {
        test: /\.tsx?$/,
        loader: 'builtin:swc-loader',
        options: {
          jsc: { parser: { syntax: 'typescript', tsx: true }, transform: { react: { runtime: 'automatic' } } },
        },
        type: 'javascript/auto',
      },
      { test: /\.css$/, type: 'css/auto' },
    ],
  },
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
    new rspack.CopyRspackPlugin({ patterns: [{ from: path.join(context, 'remote.json') }] }),
  ],
}).run((error, stats) => {
  if (!error && !stats.hasErrors()) return;
  console.error(error ?? stats.toString('errors-only'));
  process.exitCode = 1;
});
