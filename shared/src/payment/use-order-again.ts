import type { OrderAgain, OrderCreateBody, OrderPreview, OrderPreviewBody } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { type ApiError, isApiError, post } from '@shop/shared/http';
import { invalidate } from '@shop/shared/query';
import { useNavigate } from '@shop/shared/router';
import { notify, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { linkTo } from '../links';
import { useSingleFlight } from './use-single-flight';
import { withIdempotencyKey } from './with-idempotency-key';

type Outcome = { orderNo: string } | { again: OrderAgain; error: ApiError | null } | 'declined';

/** Pays the new order from the wallet in the same action. */
export interface WalletStep {
  accepts: (preview: OrderPreview) => Promise<boolean>;
  pay: (orderNo: string) => Promise<unknown>;
}

/** The user can correct these on the product's page. */
const correctable: readonly number[] = [
  ErrorCode.InvalidInput,
  ErrorCode.OutOfStock,
  ErrorCode.QuantityNotAllowed,
  ErrorCode.PurchaseLimitReached,
  ErrorCode.GameAccountNotVerified,
  ErrorCode.PriceChanged,
];

const checked = new Map<string, { token: string; until: number }>();

/** Less than the ten minutes for which the server accepts a token. */
const tokenMs = 9 * 60_000;

/**
 * Each check returns another token. An order with an unknown outcome is sent again with its token: with another one it would be
 * another intent, and so a second order.
 */
async function tokenFor(account: string, { goods_id, fields }: OrderAgain): Promise<string> {
  const stored = checked.get(account);
  if (stored && stored.until > Date.now()) return stored.token;
  const startedAt = Date.now();
  const { validation_token } = await post('/api/front/goods/validateAccount', { goods_id, fields }, { quiet: true });
  checked.set(account, { token: validation_token, until: startedAt + tokenMs });
  return validation_token;
}

const choiceOf = ({ spec_id, custom_value, quantity }: OrderAgain) => ({
  quantity,
  ...(spec_id !== null && { spec_id }),
  ...(custom_value !== null && { custom_value }),
});

/**
 * Places an order of the same goods, value, quantity and account through the calls of every order, at the current price and with
 * the coupon that saves most. Passwords are not stored, so goods that need one are refused as InvalidInput.
 */
async function placeAgain(orderNo: string, wallet?: WalletStep): Promise<Outcome> {
  const again = await post('/api/front/order/again', { order_no: orderNo });
  if (!again.available) return { again, error: null };
  const { goods_id, fields } = again;
  const choice: OrderPreviewBody = { goods_id, ...choiceOf(again), coupon: 'best' };
  const quiet = { quiet: true };
  const account = JSON.stringify([goods_id, fields]);
  try {
    const token = again.need_verify_account ? await tokenFor(account, again) : '';
    const preview = await post('/api/front/order/preview', choice, quiet);
    if (wallet && !(await wallet.accepts(preview))) return 'declined';
    const { price_version } = preview;
    const body: OrderCreateBody = { ...choice, fields, price_version, ...(token ? { validation_token: token } : {}) };
    const created = await withIdempotencyKey(`order:${JSON.stringify(body)}`, (idempotencyKey) =>
      post('/api/front/order/create', body, { ...quiet, idempotencyKey }),
    );
    checked.delete(account);
    return { orderNo: created.order_no };
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.code === ErrorCode.GameAccountNotVerified) checked.delete(account);
    return { again, error };
  }
}

/** "Buy again" with one click: opens the payment of the new order, or the product's page if something must be corrected first. */
export function useOrderAgain(
  texts: { unavailable: string; failed: string },
  wallet?: WalletStep,
): { start: (orderNo: string) => void; pending: string | null } {
  const navigate = useNavigate();
  const [pending, setPending] = useState<string | null>(null);
  const { run } = useSingleFlight(async (orderNo: string) => {
    setPending(orderNo);
    try {
      const outcome = await placeAgain(orderNo, wallet);
      if (outcome === 'declined') return;
      if ('orderNo' in outcome) {
        // After a refusal the new order's page asks for a proof or for another method.
        await wallet?.pay(outcome.orderNo).catch((error: unknown) => {
          if (!isApiError(error)) throw error;
        });
        void invalidate(['orders']);
        navigate(linkTo('order-detail', { id: outcome.orderNo }));
        return;
      }
      const { again, error } = outcome;
      if (!error) return void toast.error(texts.unavailable);
      if (error.code !== ErrorCode.Unauthorized && error.code !== ErrorCode.Forbidden)
        notify.danger(error.message || texts.failed);
      // The field values contain no secrets.
      if (correctable.includes(error.code))
        navigate(linkTo('goods-detail', { id: again.goods_id }, choiceOf(again)), { state: { fields: again.fields } });
    } finally {
      setPending(null);
    }
  });
  return { start: (orderNo) => void run(orderNo), pending };
}
