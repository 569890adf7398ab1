#!/usr/bin/env node
/**
 * Checks that each link of a Markdown file, and each mention of a document in code (`docs/product.md#prices`), leads to a file and a
 * heading. Addresses of other sites are not checked. Exit code 1 when a link is broken.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { root } from '../setup/install.mjs';
import { reportFaults } from './report-faults.mjs';

const markdown = new MarkdownIt({ html: true });
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
    (file) => file !== '' && !file.includes('/template/'),
    (file, text) => brokenLinks(file, text).map((link) => `${file}: ${link}, which leads nowhere`),
  );
