/**
 * react-router's and mobx's packages name their development build for every bundler, so a release names the authors' own
 * production build. A file that a later version no longer has fails the build.
 */
const fs = require('node:fs');
const path = require('node:path');

/** @type {Record<string, [packageName: string, ...file: string[]]>} */
const files = {
  'react-router$': ['react-router', 'dist', 'production', 'index.mjs'],
  'react-router/dom$': ['react-router', 'dist', 'production', 'dom-export.mjs'],
  mobx$: ['mobx', 'dist', 'mobx.esm.production.min.js'],
};

/**
 * A file of a package whose `exports` may hide it; undefined where the package is not installed.
 * @param {string} folder
 * @param {string} packageName
 * @param {string[]} file
 */
function fileOf(folder, packageName, ...file) {
  let manifest;
  try {
    manifest = require.resolve(`${packageName}/package.json`, { paths: [folder] });
  } catch {
    return undefined;
  }
  const found = path.join(path.dirname(manifest), ...file);
  if (!fs.existsSync(found))
    throw new Error(`${found} does not exist: this version of ${packageName} names it otherwise`);
  return found;
}

/**
 * What an import of these packages means, as the folder has them installed.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
exports.productionBuilds = (folder) =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, file]) => {
      const found = fileOf(folder, ...file);
      return found ? [[name, found]] : [];
    }),
  );
