#!/usr/bin/env node
/**
 * Finds refused words (refused-words.mjs) in comments, test titles, messages and names. Exit code 1 when there are some.
 * `node scripts/words/check-code.mjs <folder or file…>` checks these places instead.
 */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { hasRefusedWord, isRefusedName, refusedIn } from './refused-words.mjs';
import { reportFaults } from './report-faults.mjs';

/** The lists themselves, and texts of the interface, whose words scripts/texts.test.ts checks. */
const LEFT_OUT = /^scripts\/words\/(refused-words|words\.test)|texts\.ts$/;

const PROGRAM = /\.[cm]?[jt]sx?$/;
const COMMENTED = /\.(css|sql|ya?ml|sh|conf)$/;
const TITLED = /^(it|test|describe)\b/;
/** A string of at least three words that is no statement of SQL. */
const MESSAGE = /^(?!\s*(?:select|insert|update|delete|with|create|alter|drop|set)\b)\s*(?:\S+\s+){2}\S/;

function isTitle(node) {
  if (ts.isTemplateExpression(node.parent) || ts.isTemplateSpan(node.parent)) return isTitle(node.parent);
  return (
    ts.isCallExpression(node.parent) &&
    node.parent.arguments[0] === node &&
    TITLED.test(node.parent.expression.getText())
  );
}

function partsOfProgram(file, text) {
  // Strings of a test quote the interface, except for titles.
  const isTest = file.includes('.test.');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const parts = new Map();
  const names = [];
  const visit = (node) => {
    if (ts.isJsxText(node)) return;
    const before = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
    const after = ts.getTrailingCommentRanges(text, node.getEnd()) ?? [];
    for (const { pos, end } of [...before, ...after]) parts.set(pos, text.slice(pos, end));
    if (ts.isIdentifier(node) && isRefusedName(node.text)) names.push({ index: node.getStart(), word: node.text });
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const string = text.slice(node.getStart() + 1, node.getEnd() - 1);
      if (MESSAGE.test(string) && (!isTest || isTitle(node))) parts.set(node.getStart() + 1, string);
    }
    for (const child of node.getChildren()) visit(child);
  };
  visit(source);
  return { parts, names };
}

function commentsOf(text) {
  const comments = [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)(?:--|#)\s.*$/gm)];
  return { parts: new Map(comments.map(({ 0: comment, index }) => [index, comment])), names: [] };
}

/** Without the asterisks at the beginning of a comment's lines; the length stays. */
const withoutMargins = (text) => text.replace(/\n\s*\*/g, (margin) => ' '.repeat(margin.length));

export function faultsOf(file, text) {
  if (!hasRefusedWord(withoutMargins(text))) return [];
  const { parts, names } = PROGRAM.test(file) ? partsOfProgram(file, text) : commentsOf(text);
  const words = [...parts].flatMap(([start, part]) =>
    refusedIn(withoutMargins(part)).map((word) => ({ ...word, index: start + word.index })),
  );
  return [...words, ...names.map((name) => ({ ...name, instead: 'another name' }))]
    .sort((left, right) => left.index - right.index)
    .map(({ word, index, instead }) => `${file}:${text.slice(0, index).split('\n').length}: "${word}": use ${instead}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  reportFaults(['.'], (file) => (PROGRAM.test(file) || COMMENTED.test(file)) && !LEFT_OUT.test(file), faultsOf);
