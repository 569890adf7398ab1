/** One change of a file of database functions. */
export interface SqlMutant {
  line: number;
  from: string;
  to: string;
  text: string;
}

const opposites: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  '<>': '=',
  '+': '-',
  '-': '+',
};
const endOfCondition =
  /\b(?:and|or|then|loop|group|order|returning|limit|for|union|on|when|else|end|having|do)\b|[;,]/y;

/**
 * All that the rules make of a file. Some are no SQL (an assignment in an update turned round), which the database says when they are
 * applied.
 */
export function mutantsOf(file: string): SqlMutant[] {
  // The head of the first function names parameters and settings.
  const code = withoutTexts(file);
  const body = code.indexOf('$$');
  const found = [
    ...edits(code, /\s+for (?:no key )?update(?: skip locked)?/g, () => ''),
    ...edits(code, /raise exception[^;]*;/g, () => 'null;'),
    ...edits(code, /(?<![<>=:|@?!-])(?:<=|>=|<>|<|>|=)(?![<>=@])/g, (operator) => opposites[operator] as string),
    ...edits(code, /(?<= )[+-](?= )/g, (operator) => opposites[operator] as string),
    ...droppedConditions(code),
  ];
  return found
    .filter(({ start }) => start > body)
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, to }) => {
      const [before, after] = end - start < 3 ? operands(file, start, end) : ['', ''];
      return {
        line: file.slice(0, start).split('\n').length,
        from: before + file.slice(start, end) + after,
        to: `${before}${to}${after}`,
        text: file.slice(0, start) + to + file.slice(end),
      };
    });
}

/** The words before and after an operator, by which a reader finds it. */
const operands = (file: string, start: number, end: number): string[] => [
  (/[\w.]*\W{0,3}$/.exec(file.slice(0, start)) as RegExpExecArray)[0],
  (/^\W{0,3}[\w.]*/.exec(file.slice(end)) as RegExpExecArray)[0],
];

interface Edit {
  start: number;
  end: number;
  to: string;
}

const edits = (code: string, pattern: RegExp, change: (found: string) => string): Edit[] =>
  [...code.matchAll(pattern)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    to: change(found),
  }));

/** Without one side of an "and". */
function droppedConditions(code: string): Edit[] {
  const later = [...code.matchAll(/\s+and\b/g)]
    .filter(({ index }) => !endsInBetween(code.slice(0, index)))
    .map(({ 0: and, index }) => ({ start: index, end: conditionEnd(code, index + and.length), to: '' }));
  const first = [...code.matchAll(/\b(?:where|if|elsif|when|on)\s+/g)].flatMap(({ 0: word, index }) => {
    const start = index + word.length;
    const end = conditionEnd(code, start);
    const and = /^\s*and\s+/.exec(code.slice(end));
    return and ? [{ start, end: end + and[0].length, to: '' }] : [];
  });
  return [...later, ...first];
}

/** Where the condition that begins at `start` ends: before the word or the bracket that is not part of it. */
function conditionEnd(code: string, start: number): number {
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    if (code[at] === '(') depth++;
    else if (code[at] === ')' && depth-- === 0) return at;
    endOfCondition.lastIndex = at;
    if (depth === 0 && endOfCondition.test(code) && !endsInBetween(code.slice(start, at)))
      return at - trailingSpace(code, at);
  }
  return code.length;
}

/** Its "and" joins no conditions. */
const endsInBetween = (code: string) => /\bbetween\s+\S+\s*$/.test(code);
const trailingSpace = (code: string, at: number) => (/\s*$/.exec(code.slice(0, at)) as RegExpExecArray)[0].length;

/** With spaces in the place of comments and underscores in that of texts in quotes, so that all positions stay. */
const withoutTexts = (file: string) =>
  file.replace(/--.*|'(?:[^']|'')*'/g, (text) => (text[0] === '-' ? ' ' : '_').repeat(text.length));
