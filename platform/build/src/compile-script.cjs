'use strict';
/**
 * `node compile-script.cjs <[{entry, target, inChunks, replacements}] as JSON>`: compiles TypeScript and CSS entries and prints
 * [{files, code, styles, chunks}] as JSON in the same order. `files` are the sources that were read, `styles` the styles that a
 * script imports, and `chunks` the texts of the modules that `inChunks` leaves out of the script, by file name.
 */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { rspack } = require('@rspack/core');
const { BROWSERS } = require('./browsers.cjs');
const { productionBuilds } = require('./production-builds.cjs');

/**
 * @typedef {{ entry: string, target: string, inChunks?: boolean, replacements?: Record<string, string> }} ScriptOptions
 * @typedef {{ files: string[], code: string, styles: string, chunks: Record<string, string> }} CompiledScript
 */

/**
 * @param {ScriptOptions} options
 * @param {string} folder
 * @returns {import('@rspack/core').Configuration}
 */
function configOf({ entry, target, inChunks, replacements }, folder) {
  /** 5, or the year. */
  const ecma = Number(target.slice(2));
  return {
    mode: 'production',
    target: ['web', /** @type {'es2022'} */ (target)],
    entry,
    devtool: false,
    performance: false,
    resolve: {
      extensions: ['.tsx', '.ts', '.js'],
      alias: { ...replacements, ...productionBuilds(path.dirname(entry)) },
    },
    module: {
      // By default the script includes its dynamic imports.
      parser: {
        javascript: {
          dynamicImportMode: inChunks ? 'lazy' : 'eager',
          // A replacement exports only the used part of a package.
          ...(replacements && { reexportExportsPresence: false }),
        },
      },
      rules: [
        {
          test: /\.tsx?$/,
          loader: 'builtin:swc-loader',
          options: {
            jsc: {
              parser: { syntax: 'typescript', tsx: true },
              transform: { react: { runtime: 'automatic' } },
              target,
            },
          },
          type: 'javascript/auto',
        },
        { test: /\.css$/, type: 'css' },
      ],
    },
    output: {
      path: folder,
      filename: 'output.js',
      cssFilename: 'output.css',
      ...(inChunks
        ? // Native modules: script elements with an address of their own would need a Trusted Types policy.
          { module: true, chunkFormat: 'module', chunkLoading: 'import', chunkFilename: 'chunk-[contenthash:16].js' }
        : { iife: true }),
    },
    optimization: {
      // A module that two chunks need gets its own chunk, unless it is smaller than the overhead of a request.
      ...(inChunks && { splitChunks: { minSize: 1_000 } }),
      minimizer: [
        new rspack.SwcJsMinimizerRspackPlugin({
          extractComments: false,
          minimizerOptions: {
            ecma,
            module: Boolean(inChunks),
            compress: { ecma, passes: 3, toplevel: true },
            mangle: true,
            format: { comments: false, ecma },
          },
        }),
        new rspack.LightningCssMinimizerRspackPlugin({
          minimizerOptions: { targets: BROWSERS, exclude: { fontFamilySystemUi: true } },
        }),
      ],
    },
  };
}

/** @param {string} file */
const isSource = (file) => /\.(tsx?|css)$/.test(file) && fs.statSync(file, { throwIfNoEntry: false })?.isFile();

/**
 * Rejects with the faults that the compiler found.
 * @param {ScriptOptions} options
 * @returns {Promise<CompiledScript>}
 */
function compile(options) {
  const { entry } = options;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'compile-script-'));
  const compiler = rspack(configOf(options, folder));
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      const fault = error ?? (stats?.hasErrors() ? stats.toString({ preset: 'errors-only', colors: false }) : null);
      if (fault || !stats) reject(fault);
      else {
        /** @param {string} name */
        const read = (name) => {
          const file = path.join(folder, name);
          return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
        };
        const files = [...stats.compilation.fileDependencies].filter(isSource).sort();
        const styles = read('output.css');
        const names = fs.readdirSync(folder).filter((name) => name.startsWith('chunk-'));
        const chunks = Object.fromEntries(names.sort().map((name) => [name, read(name)]));
        resolve({ files, styles, chunks, code: entry.endsWith('.css') ? styles : read('output.js') });
      }
      compiler.close(() => fs.rmSync(folder, { recursive: true, force: true }));
    });
  });
}

/** @param {ScriptOptions[]} requests */
async function main(requests) {
  /** @type {CompiledScript[]} */
  const compiled = [];
  for (const options of requests) compiled.push(await compile(options));
  process.stdout.write(JSON.stringify(compiled));
}

main(JSON.parse(process.argv[2] ?? '[]')).catch((fault) => {
  console.error(fault);
  process.exitCode = 1;
});
