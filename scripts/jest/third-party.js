/**
 * Bundles the packages of tests in jsdom into one file: jest loads every module of a package again for each test file, which
 * costs more than most tests. They are bundled once for each package-lock.json, before the first test (`bundle`), and mapped to
 * the file. Each of them must be installed in one version only.
 */
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');

const root = path.resolve(__dirname, '../..');
const lockfile = path.join(root, 'package-lock.json');
/** Outside this repository, where a squad has installed these files, jest loads the packages themselves. */
const isInstalled = !fs.existsSync(lockfile);
const cacheFolder = path.join(root, 'node_modules/.cache/shop-test');

/** As jest resolves in jsdom. */
const conditionNames = ['require', 'default', 'browser'];
const packages = [
  '@tanstack/react-query',
  '@testing-library/dom',
  '@testing-library/jest-dom',
  '@testing-library/react',
  '@testing-library/user-event',
  'formik',
  'mobx',
  'mobx-react-lite',
  'react-dom',
  'react-dom/client',
  'react-router',
  'react-router-dom',
  'yup',
];

function folderOfBundle() {
  const hash = createHash('sha256');
  for (const file of [lockfile, __filename]) hash.update(fs.readFileSync(file));
  return path.join(cacheFolder, hash.digest('hex').slice(0, 16));
}

exports.mapper = isInstalled ? {} : { [`^(${packages.join('|')})$`]: `${folderOfBundle()}/$1.js` };

exports.bundle = async () => {
  if (isInstalled) return;
  const folder = folderOfBundle();
  if (fs.existsSync(folder)) return;
  fs.mkdirSync(cacheFolder, { recursive: true });
  const draft = fs.mkdtempSync(`${folder}-`);
  fs.writeFileSync(
    path.join(draft, 'entry.js'),
    packages.map((one) => `exports[${JSON.stringify(one)}] = () => require(${JSON.stringify(one)});\n`).join(''),
  );
  await compile(draft);
  for (const one of packages) {
    const file = path.join(draft, `${one}.js`);
    const bundle = path.relative(path.dirname(file), path.join(draft, 'bundle.js')).replaceAll('\\', '/');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, `module.exports = require('./${bundle}')[${JSON.stringify(one)}]();\n`);
  }
  try {
    fs.renameSync(draft, folder);
  } catch (error) {
    // A concurrent run may have created the same folder.
    fs.rmSync(draft, { recursive: true });
    if (!fs.existsSync(folder)) throw error;
  }
};

/** Bundles entry.js of that folder with its dependencies as bundle.js. */
async function compile(folder) {
  // Loaded on demand: most runs find the bundle.
  const { rspack } = require('@rspack/core');
  const compiler = rspack({
    mode: 'none',
    target: 'node20',
    context: root,
    entry: path.join(folder, 'entry.js'),
    devtool: false,
    // React uses `module.require`, which a module of a bundle does not have.
    externals: Object.fromEntries(['react', 'react/jsx-runtime'].map((name) => [name, `commonjs ${name}`])),
    resolve: {
      conditionNames,
      byDependency: { esm: { conditionNames }, commonjs: { conditionNames } },
      mainFields: ['main'],
    },
    module: {
      parser: { javascript: { dynamicImportMode: 'eager' } },
      rules: [{ test: /\.(c|m)?js$/, type: 'javascript/auto', resolve: { fullySpecified: false } }],
    },
    node: { global: false, __dirname: false, __filename: false },
    output: { path: folder, filename: 'bundle.js', library: { type: 'commonjs2' } },
  });
  const stats = await promisify((done) => compiler.run(done))();
  await promisify((done) => compiler.close(done))();
  if (stats.hasErrors()) throw new Error(stats.toString({ preset: 'errors-only', colors: false }));
}
