/** @jest-environment node */
import { currencyOf, defaultLanguage, languages } from './';

it('uses Chinese by default and the language’s own currency', () => {
  expect(defaultLanguage).toBe('zh-CN');
  expect([...languages].sort()).toEqual(['en', 'zh-CN']);
  expect(currencyOf('zh-CN')).toBe('CNY');
  expect(currencyOf('en')).toBe('USD');
});
