import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { browserPage } from '@shop/document/browser-script';

it('the staff console is one script and one style within 140,000 bytes, without code that the policy forbids', () => {
  const { script, styles } = browserPage(path.join(__dirname, '../staff/src/main.tsx'));
  const size = brotliCompressSync(script).length + brotliCompressSync(styles).length;
  expect(size).toBeLessThan(140_000);
  expect(size).toBeGreaterThan(50_000);
  expect(/\beval\(|\bnew Function\(/.test(script)).toBe(false);
});
