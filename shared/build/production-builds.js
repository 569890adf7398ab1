/**
 * react-router's and mobx's packages name their development build for every bundler, so a release names the authors' own
 * production build. A file that a later version no longer has fails the build.
 */
const fs = require('node:fs');
const path = require('node:path');

/** A file of a package whose `exports` may hide it. */
function fileOf(packageName, ...file) {
  const manifest = require.resolve(`${packageName}/package.json`, { paths: [__dirname] });
  const found = path.join(path.dirname(manifest), ...file);
  if (!fs.existsSync(found)) throw new Error(`@shop/shared names ${found}, which does not exist`);
  return found;
}

exports.productionBuilds = () => ({
  'react-router$': fileOf('react-router', 'dist', 'production', 'index.mjs'),
  'react-router/dom$': fileOf('react-router', 'dist', 'production', 'dom-export.mjs'),
  mobx$: fileOf('mobx', 'dist', 'mobx.esm.production.min.js'),
});
