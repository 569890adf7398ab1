import { plainText } from '@shop/shared/domain/plain-text';
import { ApiError, retryImport } from '@shop/shared/http';
import type { ReadPhone } from './phone-numbers';

interface TypedPhone {
  text: string;
  /** ISO 3166, "CN". */
  country: string;
}

/** docs/product.md#phone-numbers */
const mainland = /^1[3-9]\d{9}$/;

/** The numbering plans of all countries and the list to choose from. */
export const loadCountries = () =>
  retryImport(() => import('./country-sheet')).catch(() => {
    throw new ApiError({ kind: 'network', code: 0, status: 0, message: '' });
  });

/**
 * Undefined for anything else than a mobile number. A mainland number that is no number of the chosen country stays one of the
 * mainland: users of the English shop may have one. Rejects with ApiError while the numbering plans do not load.
 */
export async function readPhone({ text, country }: TypedPhone): Promise<ReadPhone | undefined> {
  const typed = plainText(text)
    .replace(/[ ()./-]/g, '')
    .replace(/^00/, '+');
  const national = typed.replace(/^\+?86(?=1\d{10}$)/, '');
  const isMainland = mainland.test(national);
  const mainlandPhone = { number: national, country: 'CN' };
  if (isMainland && (country === 'CN' || national !== typed)) return mainlandPhone;
  if (!/^\+?\d{4,15}$/.test(typed) || (country === 'CN' && !typed.startsWith('+'))) return undefined;
  const { readNumber } = await loadCountries();
  const read = readNumber(typed, country);
  if (read?.country === 'CN') return undefined;
  return read ?? (isMainland ? mainlandPhone : undefined);
}

/** The validated number for the API. The server refuses an unreadable one. */
export async function numberToSend(typed: TypedPhone): Promise<string> {
  return (await readPhone(typed))?.number ?? typed.text.trim();
}
