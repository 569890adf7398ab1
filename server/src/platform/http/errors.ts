import { ErrorCode, type ErrorName, SUCCESS_CODE } from '@shop/shared/domain';
import { errorTexts, successText } from '@shop/shared/domain/error-texts';
import { StaffErrorCode, type StaffErrorName, staffErrorTexts } from '@shop/shared/domain/staff-errors';
import { SHOP_SQLSTATE } from '../db/sql';
import type { FieldErrors, Locale } from './schemas';

/** A code of the API or of /staff. */
export type AnyErrorCode = ErrorCode | StaffErrorCode;

const names = new Map(
  Object.entries({ ...ErrorCode, ...StaffErrorCode }).map(([name, code]) => [
    code as number,
    name as ErrorName | StaffErrorName,
  ]),
);
const texts = { ...errorTexts, ...staffErrorTexts };

export const isErrorCode = (code: number): code is AnyErrorCode => names.has(code);

/** The text of a code; of InternalError for an unknown one. */
export function messageOf(code: number, locale: Locale): string {
  return (code === SUCCESS_CODE ? successText : texts[names.get(code) ?? 'InternalError'])[locale];
}

/** A refusal with a code. */
export class ShopError extends Error {
  constructor(
    readonly code: AnyErrorCode,
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
