import { type CodeCells, type CodeHeader, headerOf } from './code-columns';
import type { Language } from './index';

/** Texts of what is wrong with a line of a file of codes, in Chinese and English. */
export const codeFaultTexts = {
  format: ['格式不对：应为卡号、密码、到期日', 'Should be a number, a password and an expiry date'],
  long: ['整行超过 1000 个字符', 'Longer than 1,000 characters'],
  characters: ['含有控制字符或不可见字符；文件须为 UTF-8', 'Control or invisible characters; is the file UTF-8?'],
  quote: [
    '引号没有成对：请用引号括住整个值，值内的引号写两次',
    'A quotation mark has no partner: put quotation marks around the whole value, and write those inside it twice',
  ],
  separator: [
    '分隔符不明确：各列之间只用一种分隔符，并与表头一致',
    'The separator is unclear: use one kind between the columns, the same as in the header',
  ],
  heading: [
    '像是标题、合计或无法识别的表头，不是卡密；表头请用 card_no、card_pwd、expire_at',
    'Looks like a title, a total, or a header with an unknown name, not like a code; name the columns card_no, card_pwd, expire_at',
  ],
  serial: [
    '开头像是行的序号；请删除这一列，或加上表头 card_no,card_pwd',
    'Begins with what looks like a running number: delete this column, or put the header card_no,card_pwd on top',
  ],
  spreadsheet: [
    '表格软件改写了数字（如 1.23457E+15），原来的数字已丢失；请把该列设为文本后重新导出',
    'A spreadsheet has changed a number (such as 1.23457E+15) and lost its digits: format the column as text and export it again',
  ],
  expiry: [
    '到期日不是存在的日期，请写成 2027-01-31',
    'The expiry date is not a date that exists; write it as 2027-01-31',
  ],
  expired: ['已过期', 'Already expired'],
  demo: ['演示卡密不能在正式商店出售', 'Demo codes can’t be sold in a live shop'],
  twice: ['与第 {{other}} 行重复', 'Duplicate of line {{other}}'],
  known: ['系统中已有这张卡密', 'Already in the shop'],
  number: [
    '系统中已有这个卡号，但密码或写法不同',
    'The number is in the shop with another password or in another spelling',
  ],
  numberTwice: [
    '卡号与第 {{other}} 行相同，但密码或写法不同',
    'Same number as line {{other}}, with another password or in another spelling',
  ],
  goods: ['没有这个商品或面值，或它不是卡密商品', 'No such product or value, or not sold as codes'],
  shared: ['该面值使用循环卡密，不能导入单张卡密', 'This value has a shared code: single codes can’t be imported'],
} as const;
export type CodeFaultKind = keyof typeof codeFaultTexts;

/** `other` is the line that a code repeats. */
export const codeFaultText = (kind: CodeFaultKind, language: Language, other = 0): string =>
  codeFaultTexts[kind][language === 'en' ? 1 : 0].replace('{{other}}', String(other));

export interface CodeLine {
  /** From 1; empty lines count. */
  line: number;
  /** Values as they are written, also those of a line with a fault of its date. */
  cells: CodeCells;
  fault?: CodeFaultKind;
}

const MAX_LENGTH = 1000;
/** Lines before a header, such as a title. */
const LINES_OF_TITLE = 10;
/** Lines that decide which separator a file uses. */
const LINES_OF_SAMPLE = 200;

/** Control characters, lone surrogates, characters without a width, and what decoding writes for bytes that are not UTF-8. */
const notText = /(?!\t)[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029\ufffd]/u;

/** A number that a spreadsheet shows instead of the digits, a cell that is too narrow, and errors of formulas. */
const changedNumber =
  /(?<![\w.])(?:\d+(?:[.,]\d+e[+-]?|e[+-])\d{1,3}|\d{6,}\.0+)(?![\w.])|(?<![^\s,;|"])#{3,}(?![^\s,;|"])|#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)/i;

/** In the order of precedence. The first two decide alone, because codes do not contain them. */
const separators = {
  tab: /\t/,
  dashes: /-{3,}|—{2,}/,
  pipe: /[|｜]/,
  semicolon: /[;；]/,
  comma: /[,，、]/,
  blank: /\s+/,
};
type Separator = keyof typeof separators;
const separatorNames = Object.keys(separators) as Separator[];

const quoted = /^=?"((?:[^"]|"")*)"/;

/** The cells of a line, or undefined if a quotation mark at the start of a cell has no partner at its end. */
function split(line: string, separator: Separator | undefined): string[] | undefined {
  const pattern = separator && separators[separator];
  const cells: string[] = [];
  for (let rest = line; ; ) {
    rest = rest.replace(/^[^\S\t]+/, '');
    const inQuotes = quoted.exec(rest);
    if (!inQuotes && /^=?"/.test(rest)) return undefined;
    const after = inQuotes ? rest.slice(inQuotes[0].length) : rest;
    const next = pattern?.exec(after);
    const value = after.slice(0, next?.index).trim();
    if (inQuotes && value) return undefined;
    cells.push(inQuotes ? (inQuotes[1] ?? '').replaceAll('""', '"').trim() : value);
    if (!next) break;
    rest = after.slice(next.index + next[0].length);
  }
  while (cells.length > 1 && !cells.at(-1)) cells.pop();
  return cells;
}

/** The kinds of separators of a line; tabs or dashes alone, if it has some. Blanks beside another separator do not count. */
function separatorsIn(line: string): Separator[] {
  let rest = line.replace(/(^|[\s,，、;；|｜-])=?"(?:[^"]|"")*"/g, '$1""');
  const found: Separator[] = [];
  for (const name of separatorNames) {
    if (!separators[name].test(rest)) continue;
    found.push(name);
    if (name === 'tab' || name === 'dashes') break;
    rest = rest
      .split(separators[name])
      .map((part) => part.trim())
      .join('');
  }
  return found;
}

interface FileHeader extends CodeHeader {
  line: number;
  /** Undefined for a single column. */
  separator: Separator | undefined;
}

const namesOfTwoWords = /\b(card|serial|pin|gift|expiry|valid) (no|number|code|card|date|until)\b/gi;

function headerLine({ line, text }: TextLine): FileHeader | undefined {
  if (/\d/.test(text)) return undefined;
  const width = (header: FileHeader | undefined) => header?.columns.filter(Boolean).length ?? 0;
  let best: FileHeader | undefined;
  const found = separatorsIn(text);
  for (const separator of found.some((name) => name !== 'blank') ? found : [undefined, ...found]) {
    const cells = split(separator === 'blank' ? text.replace(namesOfTwoWords, '$1_$2') : text, separator);
    const header = cells && headerOf(cells);
    if (!header || (separator === 'blank' && header.unknown.length > 0)) continue;
    const candidate = { ...header, line, separator };
    if (width(candidate) > width(best)) best = candidate;
  }
  return best;
}

interface TextLine {
  line: number;
  text: string;
}

/** A running number and the text after it: "1,", "2. ", "No. 3 ", "(4)", "05、". */
const runningNumber = /^"?(?:no\.? ?|[#(（第])?(\d{1,5})"?(\s*[.)）．:：]\s*|\s*(?:[|｜;；,，、]|-{3,})\s*|\s+)(?=\S)/i;

/**
 * Returns a function that removes the running number of the line that is the `count`th; undefined for a number that only may be one. They
 * begin at 1 and rise.
 */
function runningNumbers(): (text: string, count: number) => string | undefined {
  let last = -1;
  return (text, count) => {
    const [start, digits, delimiter = ''] = runningNumber.exec(text) ?? [];
    if (start === undefined) return last >= 0 && /^\d{1,5}$/.test(text) ? undefined : text;
    const next = Number(digits);
    if (next <= 1 || (last < 0 ? next === count : next > last)) {
      last = next;
      return text.slice(start.length);
    }
    // A number that is written in groups.
    if (/^\d{4,}(?: \d{4,})+/.test(text)) return text;
    return /^[.)）．:：]$/.test(delimiter) ? text : undefined;
  };
}

const label = /(?<!\p{L})((?:(?:card|serial|gift|valid|expiry) )?\p{L}{1,20})[^\S\t]*[:：][^\S\t]*/giu;

/** Cells of a line like "卡号：A1 密码：p1"; undefined if it has no labels. */
function labelled(text: string): CodeCells | undefined {
  if (!/[:：]/.test(text)) return undefined;
  const labels = [...text.matchAll(label)].filter(([, name = '']) => headerOf([name, 'card no'])?.unknown.length === 0);
  if (labels[0]?.index !== 0) return undefined;
  const names = labels.map(([, name = '']) => name);
  const values = labels.map((match, at) =>
    text.slice(match.index + match[0].length, labels[at + 1]?.index).replace(/(?:[\s,，、;；|｜]|-{3,})+$/, ''),
  );
  const cells = named(headerOf(names)?.columns ?? [], values);
  return names.every((name) => /密|口令|pass|pwd/i.test(name) && !/卡密$/.test(name)) ? {} : cells;
}

function named(columns: CodeHeader['columns'], values: string[]): CodeCells {
  const cells: CodeCells = {};
  for (const [at, column] of columns.entries()) if (column) cells[column] = values[at] ?? '';
  return cells;
}

const year = '(?:19|20)\\d\\d';
const between = '[-/.年月]';
/** A date with separators, whether or not it exists, and whichever part comes first. */
const date = new RegExp(
  `^(?:${year}${between}\\d{1,2}${between}\\d{1,2}日?|\\d{1,2}${between}\\d{1,2}${between}${year})(?:T.*)?$`,
);
const dateOrDigits = new RegExp(`${date.source}|^20\\d{6}$`);
const dateAndTime = new RegExp(`(${year}${between}\\d{1,2}${between}\\d{1,2}日?)\\s+(?=\\d{1,2}:\\d{2})`);

const total = /^(?:合计|总计|小计|总数|(?:grand |sub)?total|sum)\b|^(?:合计|总计|小计|总数|共)/i;

/** Number, password and date of a line without a header; undefined if it has too many parts. */
function unnamed(text: string, separator: Separator | undefined, values: string[]): CodeCells | undefined {
  const [card_no = '', ...rest] = values.filter((value, at) => at === 0 || value);
  const [first = '', second = '', ...more] = rest;
  if (rest.length === 1 && date.test(first)) return { card_no, card_pwd: '', expire_at: first };
  if (separator === 'dashes' && rest.length > 1 && !(rest.length === 2 && dateOrDigits.test(second)))
    return { card_no, card_pwd: text.replace(/^.*?(?:-{3,}|—{2,})/, '').trim(), expire_at: '' };
  return more.length > 0 ? undefined : { card_no, card_pwd: first, expire_at: second };
}

/**
 * Reads codes as suppliers and spreadsheets write them: with or without a header in Chinese or English, separated by tabs, "----", pipes,
 * semicolons, commas or blanks, in quotation marks or not, with running numbers or labels. A line with a fault never affects another.
 */
export function* readCodeLines(text: string): Generator<CodeLine> {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r*\n|\r/)
    .map((line, at) => ({ line: at + 1, text: line.trimEnd().replace(/^[^\S\t]+/, '') }))
    .filter(({ text }) => text);
  const withoutNumber = runningNumbers();
  const lineCounts = new Map<Separator, number>();
  for (const { text } of lines.slice(0, LINES_OF_SAMPLE)) {
    const [only, ...more] = text.length > MAX_LENGTH ? [] : separatorsIn(text);
    if (only && more.length === 0) lineCounts.set(only, (lineCounts.get(only) ?? 0) + 1);
  }
  const beginning = lines.slice(0, LINES_OF_TITLE).filter(({ text }) => text.length <= MAX_LENGTH);
  let header = beginning.map(headerLine).find((found, at) => found && (at === 0 || found.unknown.length === 0));
  let isOpen = false;
  for (const [at, line] of lines.entries()) {
    // The end of a quotation that a line before has begun.
    const isEnd: boolean = isOpen && line.text.split('"').length % 2 === 0 && /[^\s"]"(?=$|[\t,;|])/.test(line.text);
    const cells = isEnd ? 'quote' : cellsOf(line, at);
    if (cells === 'quote') isOpen = !isEnd;
    if (cells) yield { line: line.line, ...(typeof cells === 'string' ? { cells: {}, fault: cells } : { cells }) };
  }

  /** Undefined for a header. */
  function cellsOf({ line, text }: TextLine, at: number): CodeCells | CodeFaultKind | undefined {
    if (text.length > MAX_LENGTH) return 'long';
    if (notText.test(text)) return 'characters';
    if (changedNumber.test(text.normalize('NFKC'))) return 'spreadsheet';
    if (header && line < header.line) return 'heading';
    const found = header?.line === line ? header : headerLine({ line, text });
    if (found && (found === header || found.unknown.length === 0)) {
      header = found;
      return found.unknown.length > 0 ? 'heading' : undefined;
    }
    const row = labelled(text) ?? (header ? rowUnder(header, text) : rowOf(text, at));
    if (typeof row === 'string') return row;
    if (!row.card_no) return 'format';
    return total.test(row.card_no) || (!header && /\p{Script=Han}/u.test(row.card_no)) ? 'heading' : row;
  }

  function rowUnder({ columns, separator }: FileHeader, text: string): CodeCells | CodeFaultKind {
    const found = separatorsIn(text);
    if (separator && found.length > 0 && !separators[separator].test(text)) return 'separator';
    const values = split(text, separator ?? found[0]);
    if (!values) return 'quote';
    return values.length > columns.length ? 'format' : named(columns, values);
  }

  function rowOf(line: string, at: number): CodeCells | CodeFaultKind {
    const next = lines[at + 1]?.text ?? '';
    if (at === 0 && !/\d/.test(line) && /[\p{Ll}\p{Lo}]/u.test(line) && /\d/.test(next)) return 'heading';
    const rest = withoutNumber(line, at + 1)?.replace(dateAndTime, '$1T');
    if (rest === undefined) return 'serial';
    const found = separatorsIn(rest);
    const countOf = (name: Separator) => lineCounts.get(name) ?? 0;
    const [first, second] = [...found].sort((a, b) => countOf(b) - countOf(a));
    if (first && second && countOf(first) === countOf(second)) return 'separator';
    const values = split(rest, first);
    return values ? (unnamed(rest, first, values) ?? 'format') : 'quote';
  }
}
