'use strict';
/**
 * Refuses imports that the code of a remote may not have: files of another remote, kinds of files that the build has no rule for, and
 * packages of the platform, which the build would duplicate. The fault is reported at the import, because a squad outside has no other check.
 */
const fs = require('node:fs');
const path = require('node:path');

/** What recipe.cjs has a rule for. */
const builtFile = /\.(?:[cm]?[jt]sx?|css|json|webp|avif|png|svg|jpe?g|gif|woff2)$/;
const built = 'ts, tsx, js, jsx, css, json, webp, avif, png, svg, jpg, gif and woff2';

/** @param {string} file */
const packageOf = (file) =>
  /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1]?.replaceAll('\\', '/');

/** @param {string} folder @returns {string | null} */
function remoteOf(folder) {
  if (fs.existsSync(path.join(folder, 'remote.json'))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? null : remoteOf(parent);
}

/**
 * @param {{ directory: string, provided: string[], by: string }} options `provided`: packages of the platform; `by`: the package
 * whose entry points export them
 * @returns {import('@rspack/core').RspackPluginInstance}
 */
exports.ownImports = ({ directory, provided, by }) => {
  /** @param {string} file */
  const faultOf = (file) => {
    if (/\.module\.css$/.test(file))
      return 'CSS modules are not built, because styles apply only to the pages of their remote. Name the file *.css and write plain class names';
    if (!builtFile.test(file)) return `files of this kind are not built. Use one of ${built}`;
    const name = packageOf(file);
    if (name)
      return provided.includes(name)
        ? `${name} comes with the platform, so this would be a second copy. Import what you need from ${by}/…`
        : null;
    const remote = remoteOf(path.dirname(file));
    return remote && remote !== directory
      ? `that file belongs to the remote in ${path.basename(remote)}. Link to its pages, or take what both need from ${by}/…`
      : null;
  };
  return {
    apply(compiler) {
      compiler.hooks.normalModuleFactory.tap('ownImports', (factory) => {
        factory.hooks.afterResolve.tap('ownImports', ({ request, contextInfo, createData }) => {
          const issuer = contextInfo?.issuer ?? '';
          const file = createData?.resource?.replace(/\?.*/, '');
          if (!file || !issuer.startsWith(directory + path.sep) || issuer.includes('node_modules')) return;
          const fault = faultOf(file);
          if (!fault) return;
          const error = new Error(`import of "${request}" in ${path.relative(directory, issuer)}: ${fault}`);
          // The bundler prints the stack, whose locations are of no use here.
          error.stack = error.message;
          throw error;
        });
      });
    },
  };
};
