import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..', '..');
const document = path.join(root, 'docs/performance.md');

export const writeOption = { write: { type: 'boolean', default: false } } as const;
export const writeHelp = '--write      puts the tables into docs/performance.md, with the date and the commit';

/**
 * Prints a section of docs/performance.md. With `write` it replaces the text between the section's markers, `<!-- bench:load -->` and
 * `<!-- /bench:load -->`.
 */
export function report(section: string, text: string, write = false): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const content = `Measured on ${new Date().toISOString().slice(0, 10)} at ${commit}. ${text}`;
  console.log(content);
  if (!write) return;
  const [start, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  const [before, rest] = readFileSync(document, 'utf8').split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${document} has no markers ${start} and ${end}`);
  writeFileSync(document, `${before}${start}\n${content}\n${end}${after}`);
}
