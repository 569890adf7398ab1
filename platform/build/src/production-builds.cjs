/**
 * The packages of react-router and mobx name their development build for every bundler, so a release uses the authors' own
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
 * Returns a file of a package whose `exports` may hide it; undefined when the package is not installed.
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
  const build = path.join(path.dirname(manifest), ...file);
  if (!fs.existsSync(build))
    throw new Error(`${build} does not exist: this version of ${packageName} uses another name`);
  return build;
}

/**
 * Returns the files that an import of these packages resolves to, as installed in the folder.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
exports.productionBuilds = (folder) =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, file]) => {
      const build = fileOf(folder, ...file);
      return build ? [[name, build]] : [];
    }),
  );
