/** Suggested products below a search field. Each importer bundles them, so they are not in the shell's first script. */
export { Suggestions } from './suggestions';
