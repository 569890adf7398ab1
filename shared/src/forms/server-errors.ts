import { ErrorCode } from '@shop/shared/domain';
import { isApiError } from '@shop/shared/http';

export interface FormStatus {
  /** The server's message for each field, until that field is changed. */
  serverErrors?: Record<string, string>;
  formError?: string;
}

/** `status` without the server's messages at `fields`; those at other fields stay. */
export function withoutServerErrors(status: FormStatus | undefined, ...fields: string[]): FormStatus {
  const others = Object.entries(status?.serverErrors ?? {}).filter(([field]) => !fields.includes(field));
  return { ...status, serverErrors: others.length > 0 ? Object.fromEntries(others) : undefined };
}

interface ServerErrorTarget {
  setStatus: (status: FormStatus) => void;
}

/**
 * Shows the messages of InvalidInput at their fields, and a missing answer on the form, for which the HTTP client shows no toast
 * (docs/product.md#errors). Returns whether it has shown the failure. Formik drops errors on blur, so the messages are in its status.
 */
export function applyServerErrors(error: unknown, helpers: ServerErrorTarget): boolean {
  if (!isApiError(error)) return false;
  const { kind, code, message, fieldErrors } = error;
  if (kind === 'network' || kind === 'timeout') helpers.setStatus({ formError: message || `failure.${kind}` });
  else if (code !== ErrorCode.InvalidInput) return false;
  else if (Object.keys(fieldErrors).length > 0) helpers.setStatus({ serverErrors: fieldErrors });
  else helpers.setStatus({ formError: message });
  return true;
}

/** Codes that the shell handles: it signs out, or navigates to /403 (docs/product.md#errors). */
const shellCodes: readonly number[] = [ErrorCode.Unauthorized, ErrorCode.Forbidden];

/**
 * For `quiet` calls: shows the server's messages at their fields, a missing answer, the server's message, or `fallback`, a key of
 * the form's texts. Rethrows errors other than ApiError.
 */
export function showFailure(error: unknown, helpers: ServerErrorTarget, fallback: string): void {
  if (!isApiError(error)) throw error;
  if (applyServerErrors(error, helpers) || shellCodes.includes(error.code)) return;
  helpers.setStatus({ formError: error.message || fallback });
}
