/** The words that comments, test titles, messages and documents avoid, each with the standard terms that replace it. */

/** Keys are regular expressions of whole words. */
const REPLACEMENTS = {
  '(?:re)?(?:draws?|drawn|drew)': 'render',
  anew: 'again',
  whoever: 'anyone who, the user who',
  nobody: 'no one',
  'told|tells': 'notify, report, say',
  '(?:tak(?:e|en|es|ing)|took) over': 'hydrate, replace',
  'mend(?:s|ed|ing)?': 'fix, recover, repair',
  '(?:tak(?:e|en|es|ing)|took) back': 'roll back, revert, refund',
  'kept pages?': 'kept-alive page',
  // Only a key is pressed: "presses Enter", "pressed the arrow key", "a key press".
  '(?<!keys? )press(?:ed|es|ing)?(?! (?:the |a |an )?(?:Escape|Enter|Tab|Space|Shift|Ctrl|Control|Backspace|Arrow|arrow|key|`))':
    'click, tap',
  'persons?': 'user, shopper, staff member',
  'in the place of': 'instead of',
  'good once': 'single use',
  "everybody['’]s": 'of all users',
  'way back': 'fallback, history',
  'votes?': 'sample',
  whatever: 'any, all',
};

const refusedWords = Object.entries(REPLACEMENTS).map(([words, instead]) => ({
  pattern: new RegExp(`(?<![\\w-])(?:${words.replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi'),
  instead,
}));

/** Words of names: of variables, functions, types and fields. */
const REFUSED_IN_NAMES = new Set(['drawn', 'everybody', 'everybodys', 'mended', 'nobody', 'redrawn', 'told', 'untold']);

/** The refused words of a text, each with its index and its replacements. A word in backticks is the name of something. */
export function refusedIn(text) {
  const prose = text.replace(/`[^`]*`/g, (name) => '`'.repeat(name.length));
  return refusedWords.flatMap(({ pattern, instead }) =>
    [...prose.matchAll(pattern)].map(({ 0: word, index }) => ({ word: word.replace(/\s+/g, ' '), index, instead })),
  );
}

/** Whether a name in camel case or capitals contains a refused word. One in snake case is a column or a field of the API, which stays. */
export function isRefusedName(name) {
  if (/^[a-z]+(_[a-z]+)+$/.test(name)) return false;
  const words = name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return words.some((word) => REFUSED_IN_NAMES.has(word.toLowerCase()));
}

/** A quick test of a whole file: false when neither a word nor a name can be refused. */
export const hasRefusedWord = (text) =>
  refusedWords.some(({ pattern }) => text.search(pattern) >= 0) || (text.match(/\w+/g) ?? []).some(isRefusedName);
