'use strict';
/**
 * Compiles variants in a separate process; scripts/compile.cjs says why. Message in: {id, recipe, args}; message out:
 * {id, error} or {id, entry: {js, css}}.
 */
const { rspack } = require('@rspack/core');
const recipes = require('./recipes.cjs');

process.on('message', ({ id, recipe, args }) => {
  const compiler = rspack(recipes[recipe](...args));
  compiler.run((error, stats) => {
    compiler.close(() => {
      if (error) return process.send({ id, error: String(error.stack ?? error) });
      if (stats.hasErrors())
        return process.send({ id, error: stats.toString({ preset: 'errors-only', colors: false }) });
      const { entrypoints = {} } = stats.toJson({ all: false, entrypoints: true });
      // A build of modules has no main entry: then all that a page starts with, without the lazy entry point.
      const first = entrypoints.main
        ? [entrypoints.main]
        : Object.keys(entrypoints)
            .filter((name) => name !== 'shared-forms')
            .map((name) => entrypoints[name]);
      const names = [...new Set(first.flatMap(({ assets }) => assets.map(({ name }) => name)))];
      const ending = (extension) => names.filter((name) => name.endsWith(extension));
      process.send({ id, entry: { js: ending('.js'), css: ending('.css') } });
    });
  });
});
