import { ErrorCode } from '@shop/shared/domain';

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
  const answer = error as {
    code?: unknown;
    kind?: unknown;
    message?: unknown;
    data?: { errors?: Record<string, unknown> } | null;
  } | null;
  if (answer?.kind === 'network' || answer?.kind === 'timeout') {
    helpers.setStatus({ formError: String(answer.message || `failure.${answer.kind}`) });
    return true;
  }
  if (typeof answer !== 'object' || Number(answer?.code) !== ErrorCode.InvalidInput) return false;
  const entries = Object.entries(answer?.data?.errors ?? {}).map(([field, text]) => [field, String(text)]);
  const formError = entries.length === 0 && typeof answer?.message === 'string' ? answer.message : undefined;
  helpers.setStatus({ serverErrors: entries.length > 0 ? Object.fromEntries(entries) : undefined, formError });
  return true;
}

/** Codes that the shell handles: it signs out, or navigates to /403 (docs/product.md#errors). */
const shellCodes: readonly number[] = [ErrorCode.Unauthorized, ErrorCode.Forbidden];

/**
 * For `quiet` calls: shows the server's messages at their fields, a missing answer, the server's message, or `fallback`, a key of
 * the form's texts. Rethrows errors other than ApiError.
 */
export function showFailure(error: unknown, helpers: ServerErrorTarget, fallback: string): void {
  if (applyServerErrors(error, helpers)) return;
  const refusal = error as { code?: unknown; message?: unknown } | null;
  if (typeof refusal !== 'object' || refusal === null || !('code' in refusal)) throw error;
  if (shellCodes.includes(Number(refusal.code))) return;
  helpers.setStatus({ formError: typeof refusal.message === 'string' && refusal.message ? refusal.message : fallback });
}
