import { ErrorCode, OrderStatus } from '@shop/shared/domain';
import type { AppContext } from '../context';
import { orderText } from '../orders/order-texts';
import { ownOrder } from '../orders/read-orders.service';
import { randomNumber } from '../platform/crypto/tokens';
import type { Sql } from '../platform/db/sql';
import { fieldError, messageOf, ShopError } from '../platform/http/errors';
import { fieldText } from '../platform/http/field-messages';
import type { KeyedCall, StoredCall } from '../platform/http/idempotency';
import { toWire, wireAmount } from '../platform/http/money';
import type { RequestLocale, Viewer } from '../platform/http/request';
import type { Currency, Locale, Sent } from '../platform/http/schemas';
import type { PaymentProvider } from '../providers/providers';
import type {
  BalancePayment,
  OnlinePayment,
  OnlinePaymentBody,
  PaymentMethod,
  PaymentStatus,
} from './payments.schemas';
import { walletProofRequired } from './wallet-proof.service';

/** Bounds of one online payment, in minor units; a provider may have a higher minimum. */
const paymentBounds = { min: 1, max: 5_000_000 } as const;
const boundsOf = (provider: PaymentProvider, currency: Currency) => ({
  min: provider.minimum?.[currency] ?? paymentBounds.min,
  max: paymentBounds.max,
});

export async function paymentMethods(
  { db, providers }: AppContext,
  viewer: Viewer | undefined,
  scene: 'order' | 'recharge',
  { locale, currency }: RequestLocale,
): Promise<PaymentMethod[]> {
  const method = (code: string, min: number, max: number, fault: ErrorCode | undefined): PaymentMethod => ({
    code,
    name: orderText(code, locale),
    icon: code,
    fee: toWire(0),
    min: toWire(min),
    max: toWire(max),
    enabled: !fault,
    reason: fault ? messageOf(fault, locale) : '',
  });
  const online = providers.payments.map((provider) => {
    const { min, max } = boundsOf(provider, currency);
    const isOffered = provider.currencies.includes(currency);
    return method(provider.code, min, max, isOffered ? undefined : ErrorCode.CurrencyNotOffered);
  });
  if (scene === 'recharge') return online;
  const wallet = viewer
    ? await db.row<{ balance: number; locked: boolean }>(
        'select balance, locked from wallets where user_id = $1 and currency = $2',
        [viewer.id, currency],
      )
    : undefined;
  const fault = wallet?.locked
    ? ErrorCode.WalletFrozen
    : (wallet?.balance ?? 0) > 0
      ? undefined
      : ErrorCode.BalanceTooLow;
  return [method('balance', 0, wallet?.balance ?? 0, fault), ...online];
}

/** The function order_pay returns it. The balance is in minor units. */
type PaidOrder = Omit<BalancePayment, 'balance'> & { balance: number };

/**
 * Pays in one statement. An order that is already paid is returned unchanged, without a second debit. Throws WalletProofRequired
 * if the session may not spend the amount yet; without a session the shop itself pays.
 */
export async function payByBalance(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  orderNo: string,
  { route, key, bodyHash, user, message, requestId }: KeyedCall,
  session: Viewer | null,
): Promise<StoredCall<PaidOrder>> {
  const paid = db.retrying((sql) =>
    sql.one<StoredCall<PaidOrder>>('select response from order_pay($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
      route,
      key,
      bodyHash,
      user,
      orderNo,
      session?.tokenHash ?? null,
      JSON.stringify(config.walletProofAbove),
      message,
      requestId,
    ]),
  );
  return paid.catch(async (error) => {
    throw (await walletProofRequired(db, user, error)) ?? error;
  });
}

export const toBalancePayment = (paid: PaidOrder): BalancePayment => ({
  ...paid,
  balance: toWire(paid.balance),
  server_time: new Date(paid.server_time).toISOString(),
});

interface Purpose {
  order_id: number | null;
  recharge_id: number | null;
  amount: number;
  currency: Currency;
  expire_at: Date;
}

interface OpenPayment {
  payment_no: string;
  expire_at: Date;
}

export function providerOf({ providers }: AppContext, method: string, currency: Currency): PaymentProvider {
  const provider = providers.payments.find((candidate) => candidate.code === method);
  if (!provider?.currencies.includes(currency)) throw new ShopError(ErrorCode.PaymentMethodUnavailable);
  return provider;
}

/** Opens a payment, or returns the open one for the same purpose and method. */
export async function openPayment(
  context: AppContext,
  sql: Sql,
  viewer: Viewer,
  method: string,
  purpose: Purpose,
  locale: Locale,
): Promise<OnlinePayment> {
  const provider = providerOf(context, method, purpose.currency);
  const { order_id, recharge_id, amount, currency, expire_at } = purpose;
  const bounds = boundsOf(provider, currency);
  if (amount < bounds.min || amount > bounds.max) throw new ShopError(ErrorCode.PaymentMethodUnavailable);
  const open = await sql.row<OpenPayment>(
    `select payment_no, expire_at from payments where method = $3 and state = 'pending' and amount = $4 and currency = $5
        and (order_id = $1 or recharge_id = $2) order by id desc limit 1`,
    [order_id, recharge_id, method, amount, currency],
  );
  const payment =
    open ??
    (await sql.one<OpenPayment>(
      `insert into payments (payment_no, user_id, order_id, recharge_id, method, currency, amount, locale, expire_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning payment_no, expire_at`,
      [randomNumber(), viewer.id, order_id, recharge_id, method, currency, amount, locale, expire_at],
    ));
  // Every provider gets a page of the shop first: it redirects to the provider's once this payment is stored.
  const { payment_no } = payment;
  const pay_url = `/cashier/${payment_no}?lang=${locale}`;
  return { payment_no, mode: 'redirect', pay_url, expire_at: payment.expire_at.toISOString() };
}

export async function payOnline(
  context: AppContext,
  sql: Sql,
  viewer: Viewer,
  body: OnlinePaymentBody,
  locale: Locale,
): Promise<OnlinePayment> {
  const { order_no, recharge_no, method } = body;
  if (Boolean(order_no) === Boolean(recharge_no)) throw fieldError({ order_no: fieldText('required', locale) });
  if (order_no) {
    const order = await ownOrder(sql, viewer, order_no);
    if (order.closed_at) throw new ShopError(ErrorCode.OrderClosed);
    if (order.status !== OrderStatus.Unpaid) throw new ShopError(ErrorCode.WrongOrderState);
    const purpose = { ...order, order_id: order.id, recharge_id: null, amount: order.total_amount };
    return openPayment(context, sql, viewer, method, purpose, locale);
  }
  const recharge = await sql.row<Purpose & { state: string }>(
    `select null as order_id, id as recharge_id, amount, currency, state, expire_at
       from recharges where recharge_no = $1 and user_id = $2`,
    [recharge_no, viewer.id],
  );
  if (!recharge) throw new ShopError(ErrorCode.OrderNotFound);
  if (recharge.state !== 'pending') throw new ShopError(ErrorCode.WrongOrderState);
  return openPayment(context, sql, viewer, method, recharge, locale);
}

export async function paymentStatus(sql: Sql, viewer: Viewer, paymentNo: string): Promise<Sent<PaymentStatus>> {
  const payment = await sql.row<Sent<PaymentStatus>>(
    `select p.payment_no, p.state, case when p.order_id is null then 'recharge' else 'order' end as scene, p.method,
            ${wireAmount('p.amount')} as amount, p.currency, o.order_no, r.recharge_no, case p.state when 'paid' then p.ended_at end as paid_at
       from payments p left join orders o on o.id = p.order_id left join recharges r on r.id = p.recharge_id
      where p.payment_no = $1 and p.user_id = $2`,
    [paymentNo, viewer.id],
  );
  if (!payment) throw new ShopError(ErrorCode.OrderNotFound);
  return payment;
}
