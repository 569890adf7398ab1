'use strict';
/**
 * Builds the stock host into a folder outside the repository, with React copied there, in a plain Node process (see
 * platform/build/src/compile.cjs). Arguments: folder, remote (`<global>@<url>`).
 */
const fs = require('node:fs');
const path = require('node:path');
const { ModuleFederationPlugin } = require('@module-federation/enhanced/rspack');
const rspack = require('@rspack/core');

const [folder, remote] = process.argv.slice(2);
const root = path.resolve(__dirname, '..', '..', '..');
const manifestOf = (name) =>
  JSON.parse(fs.readFileSync(path.join(folder, 'node_modules', name, 'package.json'), 'utf8'));

function install() {
  const modules = path.join(folder, 'node_modules');
  fs.cpSync(path.join(__dirname, 'src'), path.join(folder, 'src'), { recursive: true });
  for (const name of ['react', 'react-dom', 'scheduler', '@shop/shared']) {
    const source = fs.realpathSync(path.join(root, 'node_modules', name));
    fs.cpSync(source, path.join(modules, name), { recursive: true, filter: (file) => !/node_modules$/.test(file) });
  }
  for (const name of fs.readdirSync(path.join(root, 'node_modules'))) {
    if (name.startsWith('.') || name === '@shop' || name === '@platform' || fs.existsSync(path.join(modules, name)))
      continue;
    fs.symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  }
  // Of the workspaces, only the browser's part of the release contract is imported at run time.
  fs.mkdirSync(path.join(modules, '@platform'));
  fs.symlinkSync(path.join(root, 'platform', 'releases'), path.join(modules, '@platform', 'releases'));
}

/** Singletons by name and version, as in the documentation; each entry point of the platform has its own version. */
function shared() {
  const { entryPoints } = manifestOf('@shop/shared');
  const taken = ['domain', 'money', 'session', 'state', 'http', 'query', 'i18n', 'router', 'ui', 'forms'];
  const versions = {
    ...Object.fromEntries(['react', 'react-dom'].map((name) => [name, manifestOf(name).version])),
    'react/jsx-runtime': manifestOf('react').version,
    ...Object.fromEntries(taken.map((name) => [`@shop/shared/${name}`, entryPoints[name]])),
  };
  return Object.fromEntries(Object.entries(versions).map(([name, version]) => [name, { singleton: true, version }]));
}

install();
const compiler = rspack({
  mode: 'production',
  context: folder,
  entry: './src/main.jsx',
  output: { path: path.join(folder, 'dist'), publicPath: '/host/', uniqueName: 'stock_host', clean: true },
  // Linked packages must find React in this folder.
  resolve: { extensions: ['.tsx', '.ts', '.jsx', '.js'], symlinks: false },
  module: {
    rules: [
      {
        test: /\.[jt]sx?$/,
        include: (file) => !file.includes('node_modules') || /node_modules[\\/]@(shop|platform)/.test(file),
        loader: 'builtin:swc-loader',
        options: {
          jsc: {
            parser: { syntax: 'typescript', tsx: true },
            transform: { react: { runtime: 'automatic' } },
            target: 'es2022',
          },
        },
        type: 'javascript/auto',
      },
      { test: /\.css$/, use: [rspack.CssExtractRspackPlugin.loader, 'css-loader'], type: 'javascript/auto' },
    ],
  },
  plugins: [
    new rspack.CssExtractRspackPlugin(),
    new ModuleFederationPlugin({ name: 'stock_host', remotes: { content: remote }, shared: shared(), dts: false }),
  ],
  performance: false,
});
compiler.run((error, stats) => {
  if (error || stats.hasErrors()) {
    console.error(error ?? stats.toString({ preset: 'errors-only', colors: false }));
    process.exitCode = 1;
  }
  compiler.close(() => {});
});
