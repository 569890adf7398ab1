/** @jest-environment node */
import { ErrorCode } from './';
import { errorTexts } from './error-texts';

it('has one name for each code', () => {
  const codes = Object.values(ErrorCode);
  expect(new Set(codes).size).toBe(codes.length);
});

it.each(Object.keys(ErrorCode) as Array<keyof typeof ErrorCode>)('has a text in both languages for %s', (name) => {
  expect(errorTexts[name]).toEqual({ 'zh-CN': expect.stringMatching(/\S/), en: expect.stringMatching(/\S/) });
});
