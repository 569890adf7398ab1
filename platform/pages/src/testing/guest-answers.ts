import type { GuestAnswers } from '../serving/rendered-pages';

export const CONFIG = '/api/front/app/config';

export const guestAnswers = (textOf: (address: string) => string | undefined): GuestAnswers => ({
  shellCalls: [CONFIG],
  currencyOf: (language) => (language === 'en' ? 'USD' : 'CNY'),
  async ask(address) {
    const text = textOf(address) ?? 'asked';
    return { tag: text, envelope: () => ({ code: 200, data: text }) };
  },
  tagOf: textOf,
});
