import type { FieldValues, GoodsInfo, OrderCreateBody, OrderPreview } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import type { FormikHelpers } from '@shop/shared/forms';
import { ApiError, isApiError, post } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { compareMoney, formatMoney } from '@shop/shared/money';
import { useSingleFlight, withIdempotencyKey } from '@shop/shared/payment';
import { invalidate } from '@shop/shared/query';
import { useNavigate } from '@shop/shared/router';
import { useShown } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { confirm, notify, toast } from '@shop/shared/ui';
import { useTexts } from '../texts';
import { type AccountCheck, savedAccountsQuery } from './account-fields';
import { cleanFields, rememberedFields } from './fields.schema';
import { useGoodsTexts } from './goods-texts';
import { betterOffer, couponCodes, previewQueryPrefix, type Quote } from './use-quote';

const quiet = { quiet: true };

interface BuyOptions {
  goods: GoodsInfo;
  quote: Quote;
  check: AccountCheck;
  remember: boolean;
  refreshGoods: () => Promise<unknown>;
}

const shelfCodes: number[] = [
  ErrorCode.GoodsUnavailable,
  ErrorCode.OutOfStock,
  ErrorCode.QuantityNotAllowed,
  ErrorCode.PurchaseLimitReached,
];

/** Creates the order, after a guest has signed in over the page, and after the user has confirmed the game account and a changed price. */
export function useBuy({ goods, quote, check, remember, refreshGoods }: BuyOptions) {
  const { t } = useGoodsTexts();
  const { t: tPage } = useTexts();
  const session = useSession();
  const navigate = useNavigate();
  const shown = useShown();

  /** The server's token of a checked account; null when the user says that the account is not theirs. */
  const confirmedAccount = async (fields: FieldValues): Promise<string | null> => {
    const result = check.resultFor(fields);
    if (result) return result.validation_token;
    const answer = await check.run(fields);
    const yes = await confirm({
      title: t('account.confirm', { nickname: answer.nickname }),
      content: t('account.confirmText'),
      confirmText: t('account.confirmYes'),
      cancelText: t('account.confirmNo'),
    });
    return yes ? answer.validation_token : null;
  };

  const accepts = (before: string, { total_amount: now, currency }: OrderPreview) =>
    confirm({
      title: t('price.changed'),
      content: t('price.changedText', { before: formatMoney(before, currency), now: formatMoney(now, currency) }),
      confirmText: t('price.accept', { now: formatMoney(now, currency) }),
    });

  /**
   * The price to order at. "Best" includes an offered coupon: Buy claims it, and the user is notified. Null when the user
   * declines a total above the shown one.
   */
  const settle = async (first: OrderPreview): Promise<OrderPreview | null> => {
    let preview = first;
    const offer = quote.body?.coupon === 'best' ? betterOffer(preview) : null;
    if (offer) {
      const before = preview.coupon;
      const isReceived = await withIdempotencyKey(`coupon:${offer.id}`, (idempotencyKey) =>
        post('/api/front/coupon/receive', { coupon_id: offer.id }, { ...quiet, idempotencyKey }),
      ).then(
        () => true,
        // The coupon may be gone; then the order continues without it if the user agrees. If only the answer is lost, the coupon counts.
        () => false,
      );
      preview = await quote.refresh();
      const isNew = preview.coupon !== null && preview.coupon.user_coupon_id !== before?.user_coupon_id;
      if (isReceived || isNew) toast.success(t('coupon.claimed', { name: offer.name }));
    }
    // During an update the page still shows the total of the previous selection.
    const expected = quote.isUpdating ? quote.estimate?.total : quote.total;
    const isAccepted =
      !expected || compareMoney(preview.total_amount, expected) <= 0 || (await accepts(expected, preview));
    return isAccepted ? preview : null;
  };

  /** The order number; null if the price has changed and the user declines the new one. */
  const order = async (first: OrderPreview, fields: FieldValues, token: string): Promise<string | null> => {
    let preview = first;
    for (;;) {
      const body: OrderCreateBody = {
        ...(quote.body as NonNullable<Quote['body']>),
        fields,
        price_version: preview.price_version,
        ...(token ? { validation_token: token } : {}),
      };
      try {
        const created = await withIdempotencyKey(`order:${JSON.stringify(body)}`, (idempotencyKey) =>
          post('/api/front/order/create', body, { ...quiet, idempotencyKey }),
        );
        return created.order_no;
      } catch (error) {
        if (!isApiError(error, ErrorCode.PriceChanged)) throw error;
        void refreshGoods();
        const before = preview;
        preview = await quote.refresh();
        if (!(await accepts(before.total_amount, preview))) return null;
      }
    }
  };

  const fail = (error: unknown, helpers: FormikHelpers<FieldValues>) => {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === ErrorCode.Unauthorized || error.code === ErrorCode.Forbidden) return;
    if (error.code === ErrorCode.GameAccountNotVerified) {
      check.forget();
      const first = goods.fields[0];
      if (first) helpers.setStatus({ serverErrors: { [first.key]: error.message || t('account.unknown') } });
    }
    const onFields = Object.entries(error.fieldErrors).map(([path, text]) => [path.replace(/^fields\./, ''), text]);
    if (onFields.length > 0) helpers.setStatus({ serverErrors: Object.fromEntries(onFields) });
    if (shelfCodes.includes(error.code)) void refreshGoods();
    if (couponCodes.includes(error.code)) quote.retry();
    notify.danger(error.message || tPage(error.kind === 'timeout' ? 'goodsDetail.timeout' : 'goodsDetail.offline'));
  };

  const buy = async (values: FieldValues, isGuest: boolean): Promise<void> => {
    if (isGuest && !(await session.openLogin('', 'buy'))) return;
    if (!shown.current) return;
    const fields = cleanFields(goods.fields, values);
    const token = goods.need_verify_account ? await confirmedAccount(fields) : '';
    if (token === null) return;
    const shownPreview = isGuest || quote.isUpdating ? undefined : quote.preview;
    const preview = await settle(shownPreview ?? (await quote.refresh()));
    if (!preview) return;
    const orderNo = await order(preview, fields, token);
    if (orderNo === null) return;
    rememberFor(goods, values, remember);
    void invalidate(['orders']);
    // The coupon is used, and this page may be kept alive and shown again.
    void invalidate(previewQueryPrefix);
    void refreshGoods();
    navigate(linkTo('order-detail', { id: orderNo }));
  };

  const buying = useSingleFlight(async (values: FieldValues, helpers: FormikHelpers<FieldValues>): Promise<void> => {
    if (!quote.body) return;
    try {
      await buy(values, !session.hasToken).catch((error: unknown) => {
        if (!isApiError(error, ErrorCode.Unauthorized)) throw error;
        // The session had ended: the order continues after another sign-in.
        return buy(values, true);
      });
    } catch (error) {
      fail(error, helpers);
    }
  });
  return { submit: buying.run, isBuying: buying.isPending };
}

/** Saving the account helps with the next order only; its failure must not fail this one. */
function rememberFor(goods: GoodsInfo, values: FieldValues, isWanted: boolean): void {
  const fields = rememberedFields(goods.fields, values);
  if (!isWanted || Object.keys(fields).length === 0) return;
  post('/api/front/user/gameAccount', { goods_id: goods.id, fields }, quiet).then(
    () => invalidate(savedAccountsQuery(goods.id).queryKey),
    () => {},
  );
}
