import { withNumbers } from './named-numbers';
import { readFunctions } from './schema';

it('puts the numbers of enumerations into the text of a function', () => {
  expect(
    withNumbers("state in ({CardState.Free}, {RequestState.Refused}) and status = {OrderStatus.Paid} and x = '{}'"),
  ).toBe("state in (0, 3) and status = 12 and x = '{}'");
});

it.each(['{OrderStatus.Payed}', '{OrderState.Paid}', '{OrderStatus.constructor}'])('refuses %s', (name) => {
  expect(() => withNumbers(`status = ${name}`)).toThrow(`no number is named ${name}`);
});

it('leaves no placeholder in a function of the database', () => {
  expect(readFunctions().filter(({ text }) => /\{[A-Z]\w*\./.test(text))).toEqual([]);
});
