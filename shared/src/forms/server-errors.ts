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
    helpers.setStatus({ formError: `failure.${answer.kind}` });
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
