import type { AppContext } from '../context';
import { ProviderRefusal } from '../providers/providers';
import { handlePaymentNotice } from './provider-notices.service';
import { sendRefunds } from './refund-payment.service';
import { type RemotePayment, remotePaymentColumns } from './remote-payment';

const FIRST_PAUSE_SECONDS = 20;
const MAX_PAUSE_SECONDS = 60;
const HOUR = 3600;
/** After so many queries without a final state the provider is asked only once an hour. */
const MAX_FREQUENT_QUERIES = 60;
const BATCH = 20;
const LEASE_SECONDS = 60;

export async function askProvider(context: AppContext, payment: RemotePayment): Promise<string> {
  const provider = context.providers.payments.find((candidate) => candidate.code === payment.method);
  if (!provider?.remote || payment.state !== 'pending') return payment.state;
  const answer = await provider.remote.query(payment);
  if (answer.state === 'ended') return handlePaymentNotice(context.db, payment.method, answer.notice);
  if (answer.state === 'open' && payment.dead) await provider.remote.close(payment);
  else if (answer.state === 'open' || (answer.state === 'unknown' && !payment.dead)) return 'pending';
  await context.db.run(
    "update payments set state = 'closed', ended_at = clock_timestamp() where id = $1 and state = 'pending'",
    [payment.id],
  );
  return 'closed';
}

/** Asks about pending payments, because a notice can be lost. Each is leased, so that two processes never ask at once. */
export async function askPayments(context: AppContext): Promise<number> {
  const due = await context.db.rows<RemotePayment>(
    `with due as (
       select id from payments where state = 'pending' and ask_at <= clock_timestamp() order by ask_at limit $1 for update skip locked
     ), leased as (
       update payments p set asks = p.asks + 1, ask_at = clock_timestamp() + make_interval(secs => $2) from due
        where p.id = due.id returning p.*
     )
     select ${remotePaymentColumns} from leased p left join orders o on o.id = p.order_id join users u on u.id = p.user_id`,
    [BATCH, LEASE_SECONDS],
  );
  let fault: unknown;
  for (const payment of due) {
    try {
      await askProvider(context, payment);
    } catch (error) {
      // The provider refuses to close a payment that was paid after the query; the next query reports it.
      if (!(error instanceof ProviderRefusal)) fault = error;
    }
    const pause =
      payment.asks > MAX_FREQUENT_QUERIES ? HOUR : Math.min(MAX_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** payment.asks);
    await context.db.run(
      "update payments set ask_at = clock_timestamp() + make_interval(secs => $2) where id = $1 and state = 'pending'",
      [payment.id, pause],
    );
  }
  const refunds = await sendRefunds(context);
  if (fault) throw fault;
  return due.length + refunds;
}
