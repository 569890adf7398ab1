'use strict';
/** `node compile-script.cjs <entry> <target>`: prints {files, code} as JSON, `files` being the sources that were read. */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { rspack } = require('@rspack/core');

const [entry, target] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-script-'));
const compiler = rspack({
  mode: 'production',
  target: ['web', target],
  entry,
  devtool: false,
  performance: false,
  resolve: { extensions: ['.ts', '.js'] },
  module: {
    rules: [
      {
        test: /\.ts$/,
        loader: 'builtin:swc-loader',
        options: { jsc: { parser: { syntax: 'typescript' }, target } },
        type: 'javascript/auto',
      },
    ],
  },
  output: { path: folder, filename: 'script.js', iife: true },
});

compiler.run((error, stats) => {
  const fail = error ?? (stats.hasErrors() ? stats.toString({ preset: 'errors-only', colors: false }) : null);
  if (fail) {
    console.error(fail);
    process.exitCode = 1;
  } else {
    const isSource = (file) => file.endsWith('.ts') && fs.statSync(file, { throwIfNoEntry: false })?.isFile();
    const files = [...stats.compilation.fileDependencies].filter(isSource).sort();
    const code = fs.readFileSync(path.join(folder, 'script.js'), 'utf8');
    process.stdout.write(JSON.stringify({ files, code }));
  }
  compiler.close(() => fs.rmSync(folder, { recursive: true, force: true }));
});
