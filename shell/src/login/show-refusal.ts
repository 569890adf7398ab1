import { ErrorCode } from '@shop/shared/domain';
import { type FormikHelpers, showFailure } from '@shop/shared/forms';
import { isApiError } from '@shop/shared/http';
import { SignInIncomplete } from '../session/session.store';
import type { IdentifierKind } from './identifier-field';
import { messageKey } from './texts';

/** The field to which a refusal belongs. */
const fields: Record<number, 'identifier' | 'password' | 'verify'> = {
  [ErrorCode.WrongCredentials]: 'password',
  [ErrorCode.WeakPassword]: 'password',
  [ErrorCode.WrongVerificationCode]: 'verify',
  [ErrorCode.VerificationCodeExpired]: 'verify',
  [ErrorCode.VerificationCodeUsedUp]: 'verify',
  [ErrorCode.PhoneAlreadyRegistered]: 'identifier',
};

/** Shows the refusal of an account form at its field, or else above the button. */
export function showRefusal<V>(error: unknown, helpers: FormikHelpers<V>, kind: IdentifierKind): void {
  const incomplete = messageKey('login.incomplete');
  if (error instanceof SignInIncomplete) helpers.setStatus({ formError: incomplete });
  // A toast reports an answer without a token (session.store.ts).
  if (!isApiError(error)) return;
  const field = fields[error.code];
  if (field && error.message)
    helpers.setStatus({ serverErrors: { [field === 'identifier' ? kind : field]: error.message } });
  else showFailure(error, helpers, incomplete);
}
