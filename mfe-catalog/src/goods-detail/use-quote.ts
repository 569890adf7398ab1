import type { GoodsInfo, OrderPreview, OrderPreviewBody } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { ApiError } from '@shop/shared/http';
import { useQuery, useQueryClient } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { useEffect, useRef } from 'react';
import { fetchPreview } from './goods-detail.api';
import { previewQuery } from './goods-detail.queries';
import { estimate, previewBody, type Selection } from './selection';

export interface Quote {
  /** What is asked for; null while the choice is not complete. */
  body: OrderPreviewBody | null;
  /** The server is asked, for a signed-in shopper. */
  isAsked: boolean;
  /** The server's answer; absent for a guest. */
  preview: OrderPreview | undefined;
  error: unknown;
  isLoading: boolean;
  /** Amounts to show: the server's, until they are there the catalogue's. */
  unit: string | null;
  factors: number[];
  total: string | null;
  refresh(): Promise<OrderPreview>;
  retry(): void;
}

/** Coupon no longer fits what is chosen: unknown, out of its window, below its minimum, other goods, used, other currency. */
export const couponCodes: number[] = [
  ErrorCode.CouponNotFound,
  ErrorCode.CouponNotValidNow,
  ErrorCode.CouponMinimumNotMet,
  ErrorCode.CouponNotForGoods,
  ErrorCode.CouponUsedOrExpired,
  ErrorCode.CouponCurrencyMismatch,
];

/**
 * The price of what is chosen. A guest sees the catalogue's price at once, without a call that needs a user; a signed-in
 * shopper gets the server's preview with the coupon that saves most.
 */
export function useQuote(goods: GoodsInfo, selection: Selection, onCouponLost: () => void): Quote {
  const session = useSession();
  const body = previewBody(goods, selection);
  const asked = session.hasToken && body ? body : null;
  const client = useQueryClient();
  const query = previewQuery(asked);
  const { data, error, isLoading, refetch } = useQuery(query);
  const lost = useRef(onCouponLost);
  lost.current = onCouponLost;
  const couponLost =
    typeof selection.coupon === 'number' && error instanceof ApiError && couponCodes.includes(error.code);
  useEffect(() => {
    if (couponLost) lost.current();
  }, [couponLost]);

  const shown = estimate(goods, selection);
  return {
    body,
    isAsked: asked !== null,
    preview: asked ? data : undefined,
    error: couponLost ? undefined : error,
    isLoading,
    unit: (asked && data?.unit_price) || (shown?.unit ?? null),
    factors: shown?.factors ?? [],
    total: (asked && data?.total_amount) || (shown?.total ?? null),
    refresh: async () => {
      const fresh = await fetchPreview(body as OrderPreviewBody);
      client.setQueryData(query.queryKey, fresh);
      return fresh;
    },
    retry: () => void refetch(),
  };
}
