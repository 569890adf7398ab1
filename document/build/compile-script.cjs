'use strict';
/**
 * `node compile-script.cjs (<entry> <target>)…`: compiles TypeScript and CSS entries and prints [{files, code, styles}] as JSON in
 * their order, `files` being the sources that were read and `styles` what a script imports.
 */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { rspack } = require('@rspack/core');
const { productionBuilds } = require('@shop/shared/production-builds');

/** Old enough to keep `100vh` before `100dvh`. */
const browsers = ['chrome >= 87', 'safari >= 14.1', 'firefox >= 78'];

function configOf(entry, target, folder) {
  /** 5, or the year. */
  const ecma = Number(target.slice(2));
  return {
    mode: 'production',
    target: ['web', target],
    entry,
    devtool: false,
    performance: false,
    resolve: { extensions: ['.tsx', '.ts', '.js'], alias: productionBuilds() },
    module: {
      // One file: what is imported later is in it.
      parser: { javascript: { dynamicImportMode: 'eager' } },
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
    output: { path: folder, filename: 'output.js', cssFilename: 'output.css', iife: true },
    optimization: {
      minimizer: [
        new rspack.SwcJsMinimizerRspackPlugin({
          extractComments: false,
          minimizerOptions: {
            ecma,
            compress: { ecma, passes: 3, toplevel: true },
            mangle: true,
            format: { comments: false, ecma },
          },
        }),
        new rspack.LightningCssMinimizerRspackPlugin({
          minimizerOptions: { targets: browsers, exclude: { fontFamilySystemUi: true } },
        }),
      ],
    },
  };
}

const isSource = (file) => /\.(tsx?|css)$/.test(file) && fs.statSync(file, { throwIfNoEntry: false })?.isFile();

/** Rejects with what the compiler found wrong. */
function compile(entry, target) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-script-'));
  const compiler = rspack(configOf(entry, target, folder));
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      const fault = error ?? (stats.hasErrors() ? stats.toString({ preset: 'errors-only', colors: false }) : null);
      if (fault) reject(fault);
      else {
        const read = (name) => {
          const file = path.join(folder, name);
          return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
        };
        const files = [...stats.compilation.fileDependencies].filter(isSource).sort();
        const styles = read('output.css');
        resolve({ files, styles, code: entry.endsWith('.css') ? styles : read('output.js') });
      }
      compiler.close(() => fs.rmSync(folder, { recursive: true, force: true }));
    });
  });
}

async function main(args) {
  const compiled = [];
  for (let index = 0; index < args.length; index += 2) compiled.push(await compile(args[index], args[index + 1]));
  process.stdout.write(JSON.stringify(compiled));
}

main(process.argv.slice(2)).catch((fault) => {
  console.error(fault);
  process.exitCode = 1;
});
