import { likeness } from './code-shapes';

const code = (card_no: string, card_pwd = '') => ({ card_no, card_pwd });
const isLike = likeness([code('AB12-CD34', '123456'), code('ZZ99-0000', '000000')]);

it.each([
  ['other letters and digits', code('QQQQ-QQQQ', '999999'), true],
  ['a word in the place of a code', code('bad'), false],
  ['a part that is shorter', code('AB12-CD3', '123456'), false],
  ['another separator', code('AB12 CD34', '123456'), false],
  ['small letters', code('ab12-cd34', '123456'), false],
  ['no password', code('AB12-CD34'), false],
  ['a password with letters', code('AB12-CD34', '12345A'), false],
  ['Chinese', code('卡号12-CD34', '123456'), false],
])('compares a code with those that are known: %s', (_name, one, expected) => {
  expect(isLike(one)).toBe(expected);
});

it('has nothing to say where no code is known', () => {
  expect(likeness([])(code('bad'))).toBe(true);
});
