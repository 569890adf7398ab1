import { type CountryCode, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/mobile';

/** Of a phone: ISO 3166, "CN". */
export type { CountryCode };

export interface Phone {
  /** As it is stored and compared: 11 digits of the mainland, E.164 of any other country ("+14155550100"). */
  number: string;
  country: CountryCode;
}

/** docs/product.md#phone-numbers */
const mainland = /^1[3-9]\d{9}$/;

/**
 * A mobile number in any spelling, in the one form of it; undefined for anything else. A number of the mainland may have +86, another one
 * has its country's code. Satellites and other numbers without a country are refused, as are landlines and numbers that cost the caller:
 * no text message of a code reaches them.
 */
export function phoneOf(text: string): Phone | undefined {
  const plain = text
    .normalize('NFKC')
    .replace(/[\s()./\u2010-\u2015-]/g, '')
    .replace(/^00/, '+');
  const national = plain.replace(/^\+86/, '');
  if (mainland.test(national)) return { number: national, country: 'CN' };
  if (!/^\+\d{7,15}$/.test(plain)) return undefined;
  const parsed = parsePhoneNumberFromString(plain);
  if (!parsed?.country || parsed.country === 'CN' || !parsed.isValid()) return undefined;
  return { number: parsed.number, country: parsed.country };
}

/** Forms in which the shop may know what somebody typed from hearing or from a list, where a plus is often left out. */
export function possiblePhones(text: string): string[] {
  const found = [phoneOf(text), phoneOf(`+${text}`)];
  return [...new Set(found.flatMap((one) => (one ? [one.number] : [])))];
}

const countries: ReadonlySet<string> = new Set(getCountries());
export const isCountry = (code: string): code is CountryCode => countries.has(code);
