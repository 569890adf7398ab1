import { OrderStatus } from '@shop/shared/domain';
import type { AppContext } from '../context';
import type { Currency, Locale } from '../platform/http/schemas';
import type { KnownPayment, Opened } from '../providers/providers';

/** Data of a payment that its provider needs. Amounts are minor units. */
export interface RemotePayment {
  id: number;
  payment_no: string;
  method: string;
  amount: number;
  currency: Currency;
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
  p.asks, o.order_no, o.snapshot -> 'name' as name, u.openid,
  p.expire_at <= clock_timestamp() or coalesce(o.closed_at is not null or o.status <> ${OrderStatus.Unpaid}, false) as dead`;

export const remotePayment = ({ db }: Pick<AppContext, 'db'>, paymentNo: string) =>
  db.row<RemotePayment>(
    `select ${remotePaymentColumns} from payments p left join orders o on o.id = p.order_id join users u on u.id = p.user_id
      where p.payment_no = $1`,
    [paymentNo],
  );

export const knownPaymentOf = ({ payment_no, amount, currency, opened }: RemotePayment): KnownPayment => ({
  payment_no,
  amount,
  currency,
  token: opened?.token,
});
