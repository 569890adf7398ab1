import { plainText } from '@shop/shared/domain/plain-text';
import { type CountryCode, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/mobile';

export type { CountryCode };

export interface Phone {
  /** The stored and compared form: 11 digits for the mainland, E.164 for any other country ("+14155550100"). */
  number: string;
  country: CountryCode;
}

/** docs/product.md#phone-numbers */
const mainland = /^1[3-9]\d{9}$/;

/**
 * Normalizes a mobile number of any spelling; undefined for anything else. A number of the mainland may have +86; others need
 * their country's code. Satellite numbers, other numbers without a country, landlines and premium-rate numbers are refused,
 * because no text message with a code reaches them.
 */
export function phoneOf(text: string): Phone | undefined {
  const plain = plainText(text)
    .replace(/[ ()./-]/g, '')
    .replace(/^00/, '+');
  const national = plain.replace(/^\+?86(?=1\d{10}$)/, '');
  if (mainland.test(national)) return { number: national, country: 'CN' };
  if (!/^\+\d{7,15}$/.test(plain)) return undefined;
  const parsed = parsePhoneNumberFromString(plain);
  if (!parsed?.country || parsed.country === 'CN' || !parsed.isValid()) return undefined;
  return { number: parsed.number, country: parsed.country };
}

/** Forms in which the shop may know a number that staff typed after hearing it or from a list, where a plus is often missing. */
export function possiblePhones(text: string): string[] {
  const phones = [phoneOf(text), phoneOf(`+${text}`)];
  return [...new Set(phones.flatMap((phone) => (phone ? [phone.number] : [])))];
}

const countries: ReadonlySet<string> = new Set(getCountries());
export const isCountry = (code: string): code is CountryCode => countries.has(code);
