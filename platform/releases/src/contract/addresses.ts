/** Describes a release in its own folder; not served to browsers. */
export const MANIFEST_FILE = 'release.json';

/** Names are keys of maps, so none of them may be a member that every object has. */
export const RELEASE_NAME = '^(?!constructor$)[a-z][a-z0-9-]{0,40}$';
// Marked as pure, so that the shell, which needs no names, leaves it out of its bundle.
const NAME = /* @__PURE__ */ new RegExp(RELEASE_NAME);
const VERSION = /^[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.+-]{0,80}$/;

export const isReleaseName = (name: string): boolean => NAME.test(name);
export const isReleaseVersion = (version: string): boolean => VERSION.test(version) && !version.includes('..');

/** A file inside a release: a relative path without hidden parts, and neither the manifest nor a compressed sibling. */
export function isReleaseFile(file: string): boolean {
  return (
    /^[A-Za-z0-9_@~+-][A-Za-z0-9_@~+./-]*$/.test(file) &&
    !file.split('/').some((part) => part === '' || part.startsWith('.')) &&
    !/\.(br|gz)$/.test(file) &&
    file !== MANIFEST_FILE
  );
}

/** Whether a file of a release belongs to its server build, which browsers never get. */
export const isServerFile = (file: string): boolean => file.startsWith('server/');
/** The source map of a browser script. It is used to name positions in the source, and no server serves it. */
export const sourceMapOf = (script: string): string => `server/browser/${script}.map`;

export const releaseBase = (name: string, version: string): string => `/r/${name}/${version}/`;

/** The name of the map, in a store and in its address. */
export const CHANNEL = 'production';
export const RELEASE_MAP_URL = `/releases/${CHANNEL}.json`;
