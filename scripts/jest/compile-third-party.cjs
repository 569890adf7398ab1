'use strict';
/** `node compile-third-party.cjs <folder> <condition>…`: bundles entry.js of that folder with its dependencies as bundle.js. */
const path = require('node:path');
const { rspack } = require('@rspack/core');

const [folder = '', ...conditionNames] = process.argv.slice(2);
const compiler = rspack({
  mode: 'none',
  target: 'node20',
  context: path.resolve(__dirname, '../..'),
  entry: path.join(folder, 'entry.js'),
  devtool: false,
  // React uses `module.require`, which a module of a bundle does not have.
  externals: Object.fromEntries(['react', 'react/jsx-runtime'].map((name) => [name, `commonjs ${name}`])),
  resolve: {
    conditionNames,
    byDependency: { esm: { conditionNames }, commonjs: { conditionNames } },
    mainFields: ['main'],
  },
  module: {
    parser: { javascript: { dynamicImportMode: 'eager' } },
    rules: [{ test: /\.(c|m)?js$/, type: 'javascript/auto', resolve: { fullySpecified: false } }],
  },
  node: { global: false, __dirname: false, __filename: false },
  output: { path: folder, filename: 'bundle.js', library: { type: 'commonjs2' } },
});
compiler.run((error, stats) => {
  const fault = error ?? (stats.hasErrors() ? stats.toString({ preset: 'errors-only', colors: false }) : null);
  if (fault) console.error(fault);
  compiler.close(() => process.exit(fault ? 1 : 0));
});
