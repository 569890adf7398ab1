import {
  ConflictError,
  GateError,
  GateQueueFullError,
  LeftGateQueueError,
  MapError,
  StoreError,
  type Verdict,
  WORSE,
} from '@platform/releases';
import { ShopError } from '@shop/server/platform/http/errors';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { FastifyError } from 'fastify';

export const ERROR_KINDS = [
  'invalid',
  'insecure',
  'unauthorised',
  'forbidden',
  'fresh-code',
  'gate',
  'conflict',
  'frozen',
  'refused',
  'busy',
  'failed',
] as const;
type ErrorKind = (typeof ERROR_KINDS)[number];

export class ApiError extends Error {
  constructor(
    readonly kind: ErrorKind,
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface ShownError {
  kind: ErrorKind;
  message: string;
  verdict?: Verdict;
  /** The rollback target is worse than the live release; `anyway` makes the rollback. */
  canInsist?: boolean;
}

/** Errors of the console's guard as errors of this API. */
const REFUSALS_OF_STAFF: Record<number, ApiError> = {
  [ErrorCode.Unauthorized]: new ApiError('unauthorised', 401, 'sign in again'),
  [ErrorCode.Forbidden]: new ApiError('forbidden', 403, 'releases are for ops and managers, in the console'),
  [StaffErrorCode.FreshCodeNeeded]: new ApiError('fresh-code', 403, 'a fresh code is needed'),
};

export function explained(thrown: unknown): { status: number; error: ShownError } {
  const error = (thrown instanceof ShopError && REFUSALS_OF_STAFF[thrown.code]) || thrown;
  const refused = (kind: ErrorKind, status: number) => ({ status, error: { kind, message: (error as Error).message } });
  if (error instanceof ApiError) return refused(error.kind, error.status);
  if (error instanceof GateError) {
    const { message, verdict } = error;
    const canInsist = verdict.checks.some(({ check }) => check === WORSE);
    return { status: 409, error: { kind: 'gate', message, verdict, canInsist } };
  }
  if (error instanceof ConflictError) return refused('conflict', 409);
  if (error instanceof MapError) return refused(error.code === 'frozen' ? 'frozen' : 'refused', 409);
  if (error instanceof StoreError || error instanceof LeftGateQueueError) return refused('refused', 409);
  if (error instanceof GateQueueFullError) return refused('busy', 503);
  const { statusCode = 500 } = (error ?? {}) as FastifyError;
  if (statusCode >= 400 && statusCode < 500) return refused('invalid', statusCode);
  return { status: 500, error: { kind: 'failed', message: 'it failed; the server log says why' } };
}
