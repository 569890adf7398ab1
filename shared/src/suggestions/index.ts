/** Products that are suggested while one types into a search field. In the bundle of whoever imports it, so not in the shell's first script. */
export { Suggestions, type SuggestionsProps } from './suggestions';
