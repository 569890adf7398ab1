/** Texts are data without a compiler: a key that nothing names is dead weight in every shopper's download. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { currentTexts, type TextTree } from '@shop/shared/i18n';
import '../mfe-account/src/texts';
import '../mfe-catalog/src/texts';
import '../mfe-content/src/texts';
import '../mfe-orders/src/texts';

function keysOf(tree: TextTree, prefix = ''): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  );
}

function sourcesOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.') && file !== 'texts.ts')
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
}

it.each(['account', 'catalog', 'content', 'orders'])('%s uses every text that it defines', (remote) => {
  const texts = currentTexts(remote);
  const source = sourcesOf(path.resolve(__dirname, `../mfe-${remote}/src`));
  const isNamed = (key: string) =>
    source.includes(`'${key}'`) || source.includes(`'${key}?`) || source.includes(`\`${key.replace(/[^.]*$/, '')}\${`);
  expect(keysOf(texts?.['zh-CN'] ?? {}).filter((key) => !isNamed(key))).toEqual([]);
});
