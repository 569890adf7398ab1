'use strict';
/**
 * `node compile-program.cjs [--movable] <entry> <output> <package>…`: compiles a TypeScript program with its imports to one
 * JavaScript file. The listed packages stay outside and load on demand. Tests that start a program many times use this file,
 * since the TypeScript loader takes a second or two for each start. The program finds files beside its sources in this checkout;
 * a movable one, as in a container image, finds them from its own folder, under the same paths.
 */
const path = require('node:path');
const { rspack } = require('@rspack/core');

const isMovable = process.argv[2] === '--movable';
const [entry = '', output = '', ...separate] = process.argv.slice(isMovable ? 3 : 2);
const root = path.resolve(__dirname, '../..');
/** Native addons, and packages that find their own files by their path. */
const external = ['sharp', '@node-rs/argon2', '@electric-sql/pglite', 'workerd', ...separate];
const isExternal = (request) => external.some((name) => request === name || request.startsWith(`${name}/`));

const compiler = rspack({
  mode: 'none',
  target: 'node20',
  context: root,
  entry: path.resolve(entry),
  devtool: false,
  externals: [({ request }, done) => (isExternal(request) ? done(undefined, `commonjs ${request}`) : done())],
  resolve: { extensions: ['.ts', '.mjs', '.js', '.cjs', '.json'] },
  module: {
    rules: [
      {
        test: /\.ts$/,
        use: [
          { loader: path.join(__dirname, 'source-paths-loader.cjs'), options: { movableFrom: isMovable ? root : '' } },
          { loader: 'builtin:swc-loader', options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } } },
        ],
        type: 'javascript/auto',
      },
      { test: /\.(c|m)?js$/, type: 'javascript/auto' },
    ],
  },
  plugins: isMovable
    ? [new rspack.BannerPlugin({ banner: 'const __programFolder = __dirname;', raw: true, entryOnly: true })]
    : [],
  node: { __dirname: false, __filename: false },
  output: { path: path.dirname(output), filename: path.basename(output) },
});
compiler.run((error, stats) => {
  const fault = error ?? (stats.hasErrors() ? stats.toString({ preset: 'errors-only', colors: false }) : null);
  if (fault) console.error(fault);
  compiler.close(() => process.exit(fault ? 1 : 0));
});
