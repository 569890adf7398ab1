'use strict';
/**
 * Builds the shell with source maps, in a separate process (scripts/compile.cjs says why). Argument: output folder. Sends
 * {entry: string[]}, or {error}.
 */
const path = require('node:path');
const { rspack } = require('@rspack/core');
const base = require('../../rspack.base.js');

const config = base.hostConfig(path.resolve(__dirname, '..', '..', 'shell'), { version: 'local' });
const compiler = rspack({
  ...config,
  devtool: 'hidden-source-map',
  output: { ...config.output, path: process.argv[2], devtoolModuleFilenameTemplate: '[resource-path]' },
});
compiler.run((error, stats) => {
  compiler.close(() => {
    if (error) return process.send({ error: String(error.stack ?? error) });
    if (stats.hasErrors()) return process.send({ error: stats.toString({ preset: 'errors-only', colors: false }) });
    const { entrypoints } = stats.toJson({ all: false, entrypoints: true });
    process.send({ entry: entrypoints.main.assets.map(({ name }) => name) });
    process.disconnect();
  });
});
