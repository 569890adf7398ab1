/** The numbering plans of all countries. A number of the mainland does not need them. */
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/mobile';

export interface ReadPhone {
  /** In the format of the API: 11 digits of the mainland, E.164 of any other country. */
  number: string;
  country: string;
}

export const countries: readonly string[] = getCountries();
/** "+1" */
export const callingCode = (country: string): string => `+${getCountryCallingCode(country as CountryCode)}`;

/** Reads a mobile number as dialled within the country, or with a plus and the code of another one. */
export function readNumber(text: string, country: string): ReadPhone | undefined {
  const parsed = parsePhoneNumberFromString(text, country as CountryCode);
  return parsed?.country && parsed.isValid() ? { number: parsed.number, country: parsed.country } : undefined;
}
