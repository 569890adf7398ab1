'use strict';
/**
 * Compiles one workspace after another, in a process of its own: under the TypeScript loader that runs the other scripts,
 * Module Federation's runtime would be built in with that loader's helpers (`__name`) and fail in browsers.
 * Message in: {id, name, directory, version, output, mode}; message out: {id, error} or {id, entry: {js, css}}.
 */
const { rspack } = require('@rspack/core');
const base = require('../rspack.base.js');

process.on('message', ({ id, name, directory, version, output, mode }) => {
  const recipe = name === 'shell' ? base.hostConfig : base.remoteConfig;
  const config = recipe(directory, { version, mode });
  const compiler = rspack({ ...config, output: { ...config.output, path: output } });
  compiler.run((error, stats) => {
    compiler.close(() => {
      if (error) return process.send({ id, error: String(error.stack ?? error) });
      if (!stats || stats.hasErrors()) {
        return process.send({
          id,
          error: stats?.toString({ preset: 'errors-only', colors: false }) ?? 'nothing was built',
        });
      }
      const assets = stats.toJson({ all: false, entrypoints: true }).entrypoints?.main?.assets ?? [];
      const names = assets.map((asset) => asset.name);
      process.send({
        id,
        entry: { js: names.filter((file) => file.endsWith('.js')), css: names.filter((file) => file.endsWith('.css')) },
      });
    });
  });
});
