import { ErrorCode, type ErrorName, SUCCESS_CODE } from '@shop/shared/domain';
import { errorTexts, successText } from '@shop/shared/domain/error-texts';
import { StaffErrorCode, type StaffErrorName, staffErrorTexts } from '@shop/shared/domain/staff-errors';
import { SHOP_SQLSTATE } from '../db/sql';
import type { FieldErrors, Locale } from './schemas';

export type AnyErrorCode = ErrorCode | StaffErrorCode;

const names = new Map(
  Object.entries({ ...ErrorCode, ...StaffErrorCode }).map(([name, code]) => [
    code as number,
    name as ErrorName | StaffErrorName,
  ]),
);
const texts = { ...errorTexts, ...staffErrorTexts };

export const isErrorCode = (code: number): code is AnyErrorCode => names.has(code);

export function messageOf(code: number, locale: Locale): string {
  return (code === SUCCESS_CODE ? successText : texts[names.get(code) ?? 'InternalError'])[locale === 'en' ? 1 : 0];
}

/** From a minute and a half on, in whole minutes. */
function inTime(seconds: number, locale: Locale): string {
  const [count, zh, en] =
    seconds < 90
      ? [seconds, '秒', 'second']
      : seconds < 90 * 60
        ? [Math.ceil(seconds / 60), '分钟', 'minute']
        : [Math.ceil(seconds / 3600), '小时', 'hour'];
  return locale === 'en' ? `${count} ${en}${count === 1 ? '' : 's'}` : ` ${count} ${zh}`;
}

const laterTexts: Record<Locale, (time: string) => string> = {
  'zh-CN': (time) => `操作过于频繁，请${time}后再试`,
  en: (time) => `Too many attempts. Try again in ${time}.`,
};

export function refusalText(code: number, data: unknown, locale: Locale): string {
  const seconds = retryAfterOf(data);
  return code === ErrorCode.TooManyRequests && seconds
    ? laterTexts[locale](inTime(seconds, locale))
    : messageOf(code, locale);
}

export class ShopError extends Error {
  constructor(
    readonly code: AnyErrorCode,
    readonly data: unknown = null,
    /** Only for the log. */
    cause?: unknown,
  ) {
    super(`${code} ${messageOf(code, 'en')}`, { cause });
  }
}

export const tooManyRequests = (seconds: number) => new ShopError(ErrorCode.TooManyRequests, { retry_after: seconds });

/** Seconds until the next permitted call, if the `data` of TooManyRequests has them. */
export const retryAfterOf = (data: unknown) => (data as { retry_after?: number } | null)?.retry_after;

/** InvalidInput with a message for each field, in the request's language. */
export const fieldError = (errors: FieldErrors['errors']) =>
  new ShopError(ErrorCode.InvalidInput, { errors } satisfies FieldErrors);

export function shopErrorOf(error: unknown): ShopError | undefined {
  if (error instanceof ShopError) return error;
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (code !== SHOP_SQLSTATE) return undefined;
  const number = Number(message);
  return isErrorCode(number) ? new ShopError(number) : undefined;
}
