/** Every failed call rejects with this error. */
export class ApiError extends Error {
  readonly kind: 'business' | 'http' | 'network' | 'timeout' | 'malformed';
  /** The envelope's code, else the HTTP status, else 0. */
  readonly code: number;
  /** The HTTP status; 0 when there was no response. */
  readonly status: number;
  /** The envelope's `data`, for example `{errors: {field: message}}` with code 40001. */
  readonly data: unknown;

  constructor(fields: {
    kind: ApiError['kind'];
    code: number;
    status: number;
    message: string;
    data?: unknown;
  }) {
    super(fields.message);
    this.name = 'ApiError';
    this.kind = fields.kind;
    this.code = fields.code;
    this.status = fields.status;
    this.data = fields.data ?? null;
  }

  /** Field messages of code 40001, otherwise empty. */
  get fieldErrors(): Record<string, string> {
    const errors = (this.data as { errors?: Record<string, string> } | null)?.errors;
    return errors && typeof errors === 'object' ? errors : {};
  }
}

export function isApiError(error: unknown, code?: number): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}
