import path from 'node:path';
import { promisify } from 'node:util';
import { rspack, type Stats } from '@rspack/core';

const root = path.resolve(__dirname, '../..');
/** Native addons, and packages that find their own files by their path. */
const external = ['sharp', '@node-rs/argon2', '@electric-sql/pglite', 'workerd'];

/**
 * Compiles a TypeScript program with its imports to one JavaScript file. The packages of `separate` stay outside and load on
 * demand. Tests that start a program many times use this file, since the TypeScript loader takes a second or two for each start.
 * The program finds files beside its sources in this checkout; a movable one, as in a container image, finds them from its own
 * folder, under the same paths.
 */
export async function compileProgram(
  entry: string,
  output: string,
  { separate = [], movable = false }: { separate?: string[]; movable?: boolean } = {},
): Promise<void> {
  const isExternal = (request = '') =>
    [...external, ...separate].some((name) => request === name || request.startsWith(`${name}/`));
  const folder = movable ? '__dirname' : JSON.stringify(root);
  const compiler = rspack({
    mode: 'none',
    target: 'node20',
    context: root,
    entry,
    devtool: false,
    externals: [({ request }, done) => (isExternal(request) ? done(undefined, `commonjs ${request}`) : done())],
    resolve: { extensions: ['.ts', '.mjs', '.js', '.cjs', '.json'] },
    module: {
      rules: [
        {
          test: /\.ts$/,
          use: [
            path.join(__dirname, 'source-paths-loader.cjs'),
            { loader: 'builtin:swc-loader', options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } } },
          ],
          type: 'javascript/auto',
        },
        { test: /\.(c|m)?js$/, type: 'javascript/auto' },
      ],
    },
    plugins: [new rspack.BannerPlugin({ banner: `const __programFolder = ${folder};`, raw: true, entryOnly: true })],
    node: { __dirname: false, __filename: false },
    output: { path: path.dirname(output), filename: path.basename(output) },
  });
  const stats = await promisify<Stats | undefined>((done) => compiler.run(done))();
  await promisify((done: (error?: Error | null) => void) => compiler.close(done))();
  if (stats?.hasErrors()) throw new Error(stats.toString({ preset: 'errors-only', colors: false }));
}
