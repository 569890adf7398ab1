import { brotliCompressSync } from 'node:zlib';
import { consolePage } from '@shop/backoffice/staff-page.plugin';

const { script, styles, chunks } = consolePage();
const bytesOf = (...texts: string[]) => texts.reduce((sum, text) => sum + brotliCompressSync(text).length, 0);

it('the staff console has 112,000 bytes in its first view and 190,000 in all, without code that the policy forbids', () => {
  const first = bytesOf(script, styles);
  expect(first).toBeLessThan(112_000);
  expect(first).toBeGreaterThan(50_000);
  expect(first + bytesOf(...Object.values(chunks))).toBeLessThan(190_000);
  const code = [script, ...Object.values(chunks)].join('\n');
  expect(code.match(/\beval\(|\bnew Function\(/g)).toBeNull();
});
