/** Writes figures to bench/results/*.json and to the marked sections of documents. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(__dirname, '..', '..', '..');

export function saveResult(name: string, result: unknown): void {
  const folder = path.join(root, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. Throws where a document has no such place. */
export function writeBetween(file: string, name: string, text: string): void {
  const full = path.join(root, file);
  const before = readFileSync(full, 'utf8');
  const place = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!place.test(before)) throw new Error(`${file} has no place for ${name}`);
  writeFileSync(
    full,
    before.replace(place, (_, start, end) => `${start}\n${text.trim()}\n\n${end}`),
  );
}
