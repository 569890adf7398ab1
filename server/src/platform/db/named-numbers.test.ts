import { withNumbers } from './named-numbers';
import { readFunctions } from './schema';

it('named numbers replace the placeholders in the text of a function', () => {
  expect(
    withNumbers("state in ({CardState.Free}, {RequestState.Refused}) and status = {OrderStatus.Paid} and x = '{}'"),
  ).toBe("state in (0, 3) and status = 12 and x = '{}'");
});

it.each(['{OrderStatus.Payed}', '{OrderState.Paid}', '{OrderStatus.constructor}'])(
  'named numbers refuse the unknown placeholder %s',
  (name) => {
    expect(() => withNumbers(`status = ${name}`)).toThrow(`no number is named ${name}`);
  },
);

it('named numbers leave no placeholder in a function of the database', () => {
  expect(readFunctions().filter(({ text }) => /\{[A-Z]\w*\./.test(text))).toEqual([]);
});
