#!/usr/bin/env node
/**
 * Checks the prose of all Markdown files (refused words, sentences of more than 30 words, lines of more than 160 characters), and that
 * each of their links, and each mention of a document in code (`docs/product.md#prices`), leads to a file and a heading. Addresses of
 * other sites are not checked. Exit code 1 when there is a fault. `node scripts/words/check-documents.mjs <file…>` checks these files.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { root } from '../setup/install.mjs';
import { refusedIn } from './refused-words.mjs';
import { reportFaults } from './report-faults.mjs';

const WORDS_IN_SENTENCE = 30;
const CHARACTERS_IN_LINE = 160;

const markdown = new MarkdownIt({ html: true });
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The text of a paragraph, list item, heading or table cell. Code counts as one word, and may end a sentence. */
const textOf = ({ children }) =>
  children
    .map(({ type, content }) => (type === 'code_inline' ? '`code`' : type.endsWith('break') ? '\n' : content))
    .join('');

export function proseFaults(file, text) {
  const tokens = markdown.parse(text, {});
  const code = tokens.filter(({ type }) => type === 'fence').map(({ map }) => map);
  const long = text.split('\n').flatMap((line, index) =>
    // A row of a table and an address cannot be broken.
    line.length > CHARACTERS_IN_LINE &&
    !/^\s*(\||!?\[|https?:)/.test(line) &&
    !code.some(([start, end]) => index >= start && index < end)
      ? [{ line: index + 1, fault: `${line.length} characters in a line: at most ${CHARACTERS_IN_LINE}` }]
      : [],
  );
  // A cell has the line of its row.
  let row = 0;
  const others = tokens.flatMap((token) => {
    if (token.type === 'tr_open') row = token.map[0];
    if (token.type !== 'inline') return [];
    const content = textOf(token);
    const lineAt = (index) => (token.map?.[0] ?? row) + content.slice(0, index).split('\n').length;
    const words = refusedIn(content).map(({ word, index, instead }) => ({
      line: lineAt(index),
      fault: `"${word}": use ${instead}`,
    }));
    const tooLong = [...sentences.segment(content)].flatMap(({ segment, index }) => {
      const { length } = segment.trim().split(/\s+/);
      return length > WORDS_IN_SENTENCE
        ? [{ line: lineAt(index), fault: `${length} words in a sentence: at most ${WORDS_IN_SENTENCE}` }]
        : [];
    });
    return [...words, ...tooLong];
  });
  return [...long, ...others]
    .sort((left, right) => left.line - right.line)
    .map(({ line, fault }) => `${file}:${line}: ${fault}`);
}

const MENTION = /(?<![\w./-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g;

const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function parse(text) {
  const tokens = markdown.parse(text, {});
  const links = tokens
    .flatMap(({ children }) => children ?? [])
    .flatMap((token) => [token.attrGet('href') ?? token.attrGet('src') ?? []].flat());
  const anchors = tokens.flatMap(({ type }, index) =>
    type === 'heading_open' ? [anchorOf(tokens[index + 1].content)] : [],
  );
  return { links, anchors };
}

/** The broken links of a file, as it writes them. `folder` is the repository. */
export function brokenLinks(file, text, folder = root) {
  const isDocument = file.endsWith('.md');
  const base = path.join(folder, isDocument ? path.dirname(file) : '');
  const links = isDocument ? parse(text).links : (text.match(MENTION) ?? []);
  return [...new Set(links)].filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [to, anchor] = decodeURI(link).split('#');
    const target = to ? path.join(base, to) : path.join(folder, file);
    if (!existsSync(target)) return true;
    if (!anchor || !target.endsWith('.md') || statSync(target).isDirectory()) return false;
    return !parse(readFileSync(target, 'utf8')).anchors.includes(anchor);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  reportFaults(
    ['.', ':!*.png', ':!*.webp', ':!package-lock.json'],
    (file) => file !== '',
    (file, text) => [
      ...(file.endsWith('.md') ? proseFaults(file, text) : []),
      // A document of the template has links of the made remote.
      ...(file.includes('/template/') ? [] : brokenLinks(file, text)).map(
        (link) => `${file}: ${link}, which leads nowhere`,
      ),
    ],
  );
