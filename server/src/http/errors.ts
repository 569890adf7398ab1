import { ErrorCode, type ErrorName, SUCCESS_CODE } from '@shop/shared/domain';
import { errorTexts, successText } from '@shop/shared/domain/error-texts';
import { SHOP_SQLSTATE } from '../db/sql';
import type { FieldErrors, Locale } from './schemas';

const names = new Map(Object.entries(ErrorCode).map(([name, code]) => [code as number, name as ErrorName]));

export const isErrorCode = (code: number): code is ErrorCode => names.has(code);

/** The text of a code; of InternalError for an unknown one. */
export function messageOf(code: number, locale: Locale): string {
  const texts = code === SUCCESS_CODE ? successText : errorTexts[names.get(code) ?? 'InternalError'];
  return texts[locale];
}

/** A refusal with a code of the API. */
export class ShopError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly data: unknown = null,
    /** For the log only. */
    cause?: unknown,
  ) {
    super(`${code} ${messageOf(code, 'en')}`, { cause });
  }
}

/** InvalidInput with a message for each field, in the request's language. */
export const fieldError = (errors: FieldErrors['errors']) =>
  new ShopError(ErrorCode.InvalidInput, { errors } satisfies FieldErrors);

/** The ShopError behind a thrown value: the value itself, or one raised by a database function. */
export function shopErrorOf(error: unknown): ShopError | undefined {
  if (error instanceof ShopError) return error;
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (code !== SHOP_SQLSTATE) return undefined;
  const number = Number(message);
  return isErrorCode(number) ? new ShopError(number) : undefined;
}
