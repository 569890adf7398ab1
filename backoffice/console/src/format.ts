import type { Currency } from '@shop/shared/domain';

export const money = (amount: string, currency: Currency): string =>
  amount.replace(/^-?/, (sign) => `${sign}${currency === 'CNY' ? '¥' : '$'}`);
