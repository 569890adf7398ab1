import { likelyCountry } from './country';
import { numberToSend, readPhone } from './phone';

it.each([
  ['13800138000', 'CN', '13800138000', 'CN'],
  ['138 0013 8000', 'CN', '13800138000', 'CN'],
  ['+86 138-0013-8000', 'US', '13800138000', 'CN'],
  ['0086 13800138000', 'GB', '13800138000', 'CN'],
  ['(415) 555-2671', 'US', '+14155552671', 'US'],
  ['1 415 555 2671', 'US', '+14155552671', 'US'],
  ['07400 123456', 'GB', '+447400123456', 'GB'],
  ['+44 7400 123456', 'CN', '+447400123456', 'GB'],
  ['5123 4567', 'HK', '+85251234567', 'HK'],
  ['\u2068+86\u00a0138\u20110013\u20118000\u2069', 'US', '13800138000', 'CN'],
  ['86-138 0013 8000', 'CN', '13800138000', 'CN'],
  ['(86) 13800138000', 'US', '13800138000', 'CN'],
  ['+1\ufe0f 415 555 2671', 'CN', '+14155552671', 'US'],
  // A number of Chicago: the chosen country decides.
  ['13125550123', 'US', '+13125550123', 'US'],
  ['13125550123', 'CN', '13125550123', 'CN'],
  // Not a number of North America, so it is one of the mainland, typed by a user of the English shop.
  ['13800138000', 'US', '13800138000', 'CN'],
])('reads %j with %s chosen as %s', async (text, chosen, number, country) => {
  expect(await readPhone({ text, country: chosen })).toEqual({ number, country });
});

it.each([
  ['1380013800', 'CN'],
  ['4155552671', 'CN'],
  ['+86 10 6552 9988', 'US'],
  ['555', 'US'],
  ['800 555 0199', 'US'],
  ['abc', 'US'],
  ['', 'CN'],
])('finds no mobile number in %j with %s chosen', async (text, country) => {
  expect(await readPhone({ text, country })).toBeUndefined();
  expect(await numberToSend({ text, country })).toBe(text);
});

describe('the country that is chosen first', () => {
  const languages = (...tags: string[]) => jest.spyOn(navigator, 'languages', 'get').mockReturnValue(tags);
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['zh-CN', ['en-US'], 'CN'],
    ['en', ['en', 'en-GB', 'en-US'], 'GB'],
    ['en', ['zh-Hant-HK'], 'HK'],
    ['en', ['en'], 'US'],
  ])('the first country in %s with a browser of %j is %s', (language, tags, country) => {
    languages(...tags);
    expect(likelyCountry(language)).toBe(country);
  });
});
