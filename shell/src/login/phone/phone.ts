import { ApiError, retryImport } from '@shop/shared/http';
import type { ReadPhone } from './phone-numbers';

/** What the field holds. */
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
 * Undefined for what is no mobile number, and, where it is no number of the country either, a mainland one stays what it is: whoever reads
 * in English may have one. Rejects with ApiError while the numbering plans cannot be had.
 */
export async function readPhone({ text, country }: TypedPhone): Promise<ReadPhone | undefined> {
  const typed = text
    .normalize('NFKC')
    .replace(/[\s()./\u2010-\u2015-]/g, '')
    .replace(/^00/, '+');
  const national = typed.replace(/^\+86/, '');
  const isMainland = mainland.test(national);
  const found = { number: national, country: 'CN' };
  if (isMainland && (country === 'CN' || national !== typed)) return found;
  if (!/^\+?\d{4,15}$/.test(typed) || (country === 'CN' && !typed.startsWith('+'))) return undefined;
  const { readNumber } = await loadCountries();
  const read = readNumber(typed, country);
  if (read?.country === 'CN') return undefined;
  return read ?? (isMainland ? found : undefined);
}

/** For the API: of a number that the form has checked. What cannot be read here is the server's to refuse. */
export async function numberToSend(typed: TypedPhone): Promise<string> {
  return (await readPhone(typed))?.number ?? typed.text.trim();
}
