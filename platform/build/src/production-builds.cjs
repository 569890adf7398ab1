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
 * Returns the files that an import of these packages resolves to, as installed in the folder, which may lack some. Their paths
 * begin at the manifest, because `exports` of a package may hide its files.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
exports.productionBuilds = (folder) => {
  /** @type {Record<string, string>} */
  const builds = {};
  for (const [name, [packageName, ...file]] of Object.entries(files)) {
    let manifest;
    try {
      manifest = require.resolve(`${packageName}/package.json`, { paths: [folder] });
    } catch {
      continue;
    }
    builds[name] = path.join(path.dirname(manifest), ...file);
    if (!fs.existsSync(builds[name]))
      throw new Error(`${builds[name]} does not exist: this version of ${packageName} uses another name`);
  }
  return builds;
};
