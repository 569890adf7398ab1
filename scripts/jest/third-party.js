/**
 * Bundles the packages of tests in jsdom into one file: jest loads every module of a package again for each test file, which
 * costs more than most tests. They are bundled once for each package-lock.json, before the first test (`bundle`), and mapped to
 * the file. Each of them must be installed in one version only.
 */
const { execFile } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');

const root = path.resolve(__dirname, '../..');
const lockfile = path.join(root, 'package-lock.json');
/** Outside this repository, where a squad has installed these files, jest loads the packages themselves. */
const isInstalled = !fs.existsSync(lockfile);
const cacheFolder = path.join(root, 'node_modules/.cache/shop-test');
const compiler = path.join(__dirname, 'compile-third-party.cjs');

/** As jest resolves in jsdom. */
const conditions = ['require', 'default', 'browser'];
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
  for (const file of [lockfile, compiler, __filename]) hash.update(fs.readFileSync(file));
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
  await promisify(execFile)(process.execPath, [compiler, draft, ...conditions]);
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
