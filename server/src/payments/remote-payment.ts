import { ErrorCode, OrderStatus } from '@shop/shared/domain';
import type { AppContext } from '../context';
import { orderText } from '../orders/order-texts';
import { ShopError } from '../platform/http/errors';
import { limitRate } from '../platform/http/rate-limit';
import type { Locale } from '../platform/http/schemas';
import type { BrowserKind, KnownPayment, Opened, PaymentPage, PaymentProvider } from '../providers/providers';

/** Data of a payment that its provider needs. Amounts are minor units. */
export interface RemotePayment extends KnownPayment {
  id: number;
  method: string;
  state: string;
  locale: Locale;
  created_at: Date;
  expire_at: Date;
  opened: Opened | null;
  order_no: string | null;
  name: { 'zh-CN': string; en: string } | null;
  openid: string | null;
  asks: number;
  /** Overdue, or its order is closed or paid. */
  dead: boolean;
}

export const remotePaymentColumns = `p.id, p.payment_no, p.method, p.amount, p.currency, p.state, p.locale, p.created_at, p.expire_at, p.opened,
  p.opened ->> 'token' as token, p.asks, o.order_no, o.snapshot -> 'name' as name, u.openid,
  p.expire_at <= clock_timestamp() or coalesce(o.closed_at is not null or o.status <> ${OrderStatus.Unpaid}, false) as dead`;

export const remotePayment = ({ db }: Pick<AppContext, 'db'>, paymentNo: string) =>
  db.row<RemotePayment>(
    `select ${remotePaymentColumns} from payments p left join orders o on o.id = p.order_id join users u on u.id = p.user_id
      where p.payment_no = $1`,
    [paymentNo],
  );

/** Opening a page calls the provider; a shopper needs it only a few times. */
const MAX_OPENINGS = 20;
const OPENINGS_SECONDS = 600;
/** The provider is first asked about a payment this long after its page was opened. */
const FIRST_ASK_SECONDS = 20;

/**
 * Returns the page where the shopper pays. The provider is called here and not when the payment is created, so that no
 * transaction waits for it and the payment is stored before anyone can pay it. Throws OrderClosed for a payment that cannot be
 * paid any more, and PaymentMethodUnavailable when the provider refuses or does not answer.
 */
export async function openPage(
  { db }: AppContext,
  provider: PaymentProvider,
  payment: RemotePayment,
  visitor: { browser: BrowserKind; address: string },
): Promise<PaymentPage> {
  if (payment.state !== 'pending' || payment.dead) throw new ShopError(ErrorCode.OrderClosed);
  const openedPage = payment.opened;
  const isUsable = openedPage && (!openedPage.until || Date.parse(openedPage.until) > Date.now());
  if (isUsable && (openedPage.for === visitor.browser || openedPage.for === 'any')) return openedPage.page;
  await limitRate(db, `cashier:${payment.payment_no}`, MAX_OPENINGS, OPENINGS_SECONDS);
  // From here on the provider may know the payment, even if its answer is lost.
  await db.run(
    "update payments set ask_at = coalesce(ask_at, clock_timestamp() + make_interval(secs => $2)) where id = $1 and state = 'pending'",
    [payment.id, FIRST_ASK_SECONDS],
  );
  const opened = await provider
    .open({
      ...payment,
      ...visitor,
      subject: payment.name?.[payment.locale] ?? orderText('recharge', payment.locale),
      openid: payment.openid ?? '',
    })
    .catch((error) => {
      throw new ShopError(ErrorCode.PaymentMethodUnavailable, null, error);
    });
  await db.run("update payments set opened = $2 where id = $1 and state = 'pending'", [
    payment.id,
    JSON.stringify(opened),
  ]);
  return opened.page;
}
