import type { GoodsInfo, OrderPreview, OrderPreviewBody } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { ApiError, post } from '@shop/shared/http';
import { compareMoney } from '@shop/shared/money';
import { queryOptions, useQuery, useQueryClient } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { useEffect, useEffectEvent, useState } from 'react';
import { estimate, previewBody, type Selection } from './selection';

const fetchPreview = (body: OrderPreviewBody, signal?: AbortSignal) =>
  post('/api/front/order/preview', body, { quiet: true, signal });

export const previewQueryPrefix = ['catalog', 'preview'];

const previewQuery = (body: OrderPreviewBody | null) =>
  queryOptions({
    queryKey: [...previewQueryPrefix, body],
    queryFn: ({ signal }) => fetchPreview(body as OrderPreviewBody, signal),
    gcTime: 5 * 60_000,
  });

export type Quote = ReturnType<typeof useQuote>;

/** An offered coupon with a larger discount on this order than any that the user has. */
export function betterOffer({ offer, available }: OrderPreview): OrderPreview['offer'] {
  return offer && compareMoney(offer.discount_amount, available[0]?.discount_amount ?? '0.00') > 0 ? offer : null;
}

export const couponCodes: number[] = [
  ErrorCode.CouponNotFound,
  ErrorCode.CouponNotValidNow,
  ErrorCode.CouponMinimumNotMet,
  ErrorCode.CouponNotForGoods,
  ErrorCode.CouponUsedOrExpired,
  ErrorCode.CouponCurrencyMismatch,
  ErrorCode.CouponInUnpaidOrder,
];

/** Clicks on a stepper are faster than this, so only the price of the last step is requested. */
const settleMs = 250;

function useIsSettled(value: string): boolean {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setSettled, settleMs, value);
    return () => clearTimeout(timer);
  }, [value]);
  return settled === value;
}

/**
 * The price of the selection. A guest sees an estimate from the list prices, because the call needs a user; a signed-in user gets
 * the server's preview with the coupon that saves most, claimed or to be claimed with the order.
 */
export function useQuote(goods: GoodsInfo, selection: Selection, onCouponLost: () => void) {
  const session = useSession();
  const body = previewBody(goods, selection);
  const request = session.hasToken && body ? body : null;
  const client = useQueryClient();
  const isSettled = useIsSettled(JSON.stringify(request));
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    ...previewQuery(request),
    enabled: request !== null && isSettled,
    placeholderData: (previous) => previous,
  });
  const isUpdating = request !== null && (isPending || isPlaceholderData);
  const reportLost = useEffectEvent(onCouponLost);
  const couponLost =
    typeof selection.coupon === 'number' && error instanceof ApiError && couponCodes.includes(error.code);
  useEffect(() => {
    if (couponLost) reportLost();
  }, [couponLost]);

  const shown = estimate(goods, selection);
  const offer = request && data && selection.coupon === 'best' ? betterOffer(data) : null;
  return {
    body,
    /** True for a signed-in user: the server computes the price. */
    isAsked: request !== null,
    /** The server's answer, or the previous one during a request; absent for a guest. */
    preview: request ? data : undefined,
    /** The coupon that Buy claims because it has the largest discount; the amounts include it. */
    offer,
    error: couponLost ? undefined : error,
    /** The amounts do not yet belong to the selection. */
    isUpdating,
    /** Amounts to show: the server's, before its answer an estimate from the list prices. */
    unit: (request && !isUpdating && (data?.list_price ?? data?.unit_price)) || (shown?.unit ?? null),
    estimate: shown,
    total: (request && (offer ?? data)?.total_amount) || (shown?.total ?? null),
    saved: (request && (offer ?? data?.coupon)?.discount_amount) || null,
    refresh: async (): Promise<OrderPreview> => {
      const fresh = await fetchPreview(body as OrderPreviewBody);
      // Correct also when the user has signed in since this render.
      client.setQueryData(previewQuery(body).queryKey, fresh);
      return fresh;
    },
    retry: () => void refetch(),
  };
}
