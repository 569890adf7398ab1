/** The database cannot execute the call now. Unless the connection broke during the call, no part of it took effect. */
export class DatabaseBusyError extends Error {}

const timeOuts = new Set([
  '55P03', // lock_not_available
  '57014', // query_canceled
  '25P03', // idle_in_transaction_session_timeout
]);
/** SQLSTATEs of a server that cannot work now; a statement that fails with one has no effect. */
const unavailable = new Set([
  '25006', // read_only_sql_transaction
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
]);
/** pg identifies these errors by message only; the last ones come from the socket. */
const READ_TIMEOUT = 'Query read timeout';
const lostConnection = /^(Connection terminated|Client has encountered a connection error|read ECONNRESET|write EPIPE)/;

const partsOf = (error: unknown) => (error ?? {}) as { code?: string; message?: string };

/** Whether the server responded too late or not at all, so that its connection cannot be used again. */
export const isUnanswered = (error: unknown) => partsOf(error).message === READ_TIMEOUT;

export const isTimeOut = (error: unknown) => timeOuts.has(partsOf(error).code ?? '') || isUnanswered(error);

export function isDatabaseBusy(error: unknown): boolean {
  const { code = '', message = '' } = partsOf(error);
  return (
    error instanceof DatabaseBusyError || isTimeOut(error) || unavailable.has(code) || lostConnection.test(message)
  );
}
