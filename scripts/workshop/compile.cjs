'use strict';
/**
 * Builds the workshop from the tests of workspaces, again at every edit, in a separate process (platform/build/src/compile.cjs says why).
 * Arguments: file of the recipe, output, the workspaces' folders. Sends {hash, milliseconds} or {faults} for each build.
 */
const fs = require('node:fs');
const path = require('node:path');
const { rspack } = require('@rspack/core');

const [recipe, output, ...directories] = process.argv.slice(2);
const [first] = directories;
const here = (file) => path.join(__dirname, file);
const there = (request) => require.resolve(request, { paths: [first] });

const {
  module: modules,
  resolve,
  optimization,
  ...config
} = require(recipe).commonConfig(first, {
  uniqueName: 'workshop',
  mode: 'development',
});
// Texts and clocks of a test are none of a component.
const [scripts, ...assets] = modules.rules;
const compiled = { ...scripts, use: scripts.use.filter(({ loader }) => loader === 'builtin:swc-loader') };

/** A module that stands before another one of that name, for all but itself. */
const before = (request, file) => ({
  alias: { [`${request}$`]: here(file) },
  rule: { test: here(file), resolve: { alias: { [`${request}$`]: there(request) } } },
});
const kit = before('@shop/shared/testing', 'test-kit.ts');
const library = before('@testing-library/react', 'test-library.ts');

const compiler = rspack({
  ...config,
  entry: { workshop: here('main.tsx') },
  output: { ...config.output, path: output, publicPath: '/', clean: false },
  resolve: { ...resolve, alias: { ...resolve.alias, ...kit.alias, ...library.alias } },
  // An open page goes on from the last build that was whole.
  optimization: { ...optimization, emitOnErrors: false },
  module: {
    rules: [
      compiled,
      ...assets,
      kit.rule,
      library.rule,
      { test: here('test-files.ts'), loader: here('list-test-files.cjs'), options: { directories } },
    ],
  },
});

compiler.watch({ aggregateTimeout: 50 }, (error, stats) => {
  const faults = error ? [error] : stats.hasErrors() ? stats.toJson({ all: false, errors: true }).errors : [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals
  const texts = faults.map(({ message }) => message.replace(/\u001b\[[\d;]*m/g, ''));
  process.send(
    texts.length > 0 ? { faults: texts } : { hash: stats.hash, milliseconds: stats.endTime - stats.startTime },
  );
});

process.on('exit', () => fs.rmSync(output, { recursive: true, force: true }));
process.on('SIGTERM', () => process.exit());
process.on('disconnect', () => process.exit());
