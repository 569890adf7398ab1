/** What the form face keeps in Formik's `status`. */
export interface FormStatus {
  /** The server's message for each field, until that field is changed. */
  serverErrors?: Record<string, string>;
  formError?: string;
}

/** The part of Formik's helpers that is needed here, so that `useFormik()` fits as well. */
export interface ServerErrorTarget {
  setStatus: (status: FormStatus) => void;
  setSubmitting?: (submitting: boolean) => void;
}

/** `data.errors` of an answer with this code names the fields (api contract). */
const badField = 40001;

/**
 * Puts the messages of a 40001 on their fields, and what no answer at all means on the form; says whether the failure is
 * shown by that. Without an answer the client gives no notice (spec section 8), so the form says what happened. Kept apart from the schema's errors, because
 * Formik forgets those at the next blur.
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
    helpers.setSubmitting?.(false);
    return true;
  }
  if (typeof answer !== 'object' || Number(answer?.code) !== badField) return false;
  const entries = Object.entries(answer?.data?.errors ?? {}).map(([field, text]) => [field, String(text)]);
  const formError = entries.length === 0 && typeof answer?.message === 'string' ? answer.message : undefined;
  helpers.setStatus({ serverErrors: entries.length > 0 ? Object.fromEntries(entries) : undefined, formError });
  helpers.setSubmitting?.(false);
  return true;
}

/** Codes on which the shell acts: it signs out, or leaves for /403 (spec section 8). */
const shellCodes = [401, 403];

/**
 * For a call that gives no notice (`quiet`): the server's messages on their fields, what no answer means, else the server's
 * own words or `fallback`, a key of the form's texts. Throws what is no refusal: that is a fault of the program.
 */
export function showFailure(error: unknown, helpers: ServerErrorTarget, fallback: string): void {
  if (applyServerErrors(error, helpers)) return;
  const refusal = error as { code?: unknown; message?: unknown } | null;
  if (typeof refusal !== 'object' || refusal === null || !('code' in refusal)) throw error;
  if (shellCodes.includes(Number(refusal.code))) return;
  helpers.setStatus({ formError: typeof refusal.message === 'string' && refusal.message ? refusal.message : fallback });
}
