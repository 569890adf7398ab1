import { ErrorCode } from '@shop/shared/domain';
import { type FormikHelpers, showFailure } from '@shop/shared/forms';
import { isApiError } from '@shop/shared/http';
import { SignInIncomplete } from '../session/session.store';
import type { IdentifierKind } from './identifier';
import { messageKey } from './texts';

/** Which field a refusal is about. */
const fields: Record<number, 'identifier' | 'password' | 'verify'> = {
  [ErrorCode.WrongCredentials]: 'password',
  [ErrorCode.WeakPassword]: 'password',
  [ErrorCode.WrongVerificationCode]: 'verify',
  [ErrorCode.VerificationCodeExpired]: 'verify',
  [ErrorCode.VerificationCodeUsedUp]: 'verify',
  [ErrorCode.PhoneAlreadyRegistered]: 'identifier',
};

/** Says at its field, or else above the button, why a form of the account was refused. */
export function showRefusal<V>(error: unknown, helpers: FormikHelpers<V>, kind: IdentifierKind): void {
  const incomplete = messageKey('login.incomplete');
  if (error instanceof SignInIncomplete) helpers.setStatus({ formError: incomplete });
  // Of an answer without a token a toast tells (session.store.ts).
  if (!isApiError(error)) return;
  const field = fields[error.code];
  if (field && error.message)
    helpers.setStatus({ serverErrors: { [field === 'identifier' ? kind : field]: error.message } });
  else showFailure(error, helpers, incomplete);
}
