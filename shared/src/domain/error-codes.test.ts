/** @jest-environment node */
import { ErrorCode } from './';

it('has one name for each code', () => {
  const codes = Object.values(ErrorCode);
  expect(new Set(codes).size).toBe(codes.length);
});
