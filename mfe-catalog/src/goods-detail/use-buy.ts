import type { FieldValues, GoodsInfo, OrderCreateBody, OrderPreview } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import type { FormikHelpers } from '@shop/shared/forms';
import { ApiError, isApiError, newIdempotencyKey } from '@shop/shared/http';
import { formatMoney } from '@shop/shared/money';
import { invalidate } from '@shop/shared/query';
import { useNavigate } from '@shop/shared/router';
import { useSession } from '@shop/shared/session';
import { confirm, notify } from '@shop/shared/ui';
import { useRef, useState } from 'react';
import { useTexts } from '../texts';
import { cleanFields, rememberedFields } from './fields.schema';
import { createOrder, saveAccount } from './goods-detail.api';
import { previewQueryPrefix, savedAccountsQuery } from './goods-detail.queries';
import type { AccountCheck } from './use-account-check';
import { couponCodes, type Quote } from './use-quote';

interface BuyOptions {
  goods: GoodsInfo;
  quote: Quote;
  check: AccountCheck;
  remember: boolean;
  refreshGoods: () => Promise<unknown>;
}

/** What is on the shelf is not what was shown: out of stock, limits, off shelf. */
const shelfCodes: number[] = [
  ErrorCode.GoodsUnavailable,
  ErrorCode.OutOfStock,
  ErrorCode.QuantityNotAllowed,
  ErrorCode.PurchaseLimitReached,
];

/** The one way from a filled-in product to an order. */
export function useBuy({ goods, quote, check, remember, refreshGoods }: BuyOptions) {
  const { t } = useTexts();
  const session = useSession();
  const navigate = useNavigate();
  const [isBuying, setBuying] = useState(false);
  const busy = useRef(false);
  const intent = useRef({ fingerprint: '', key: '' });

  /** The same order asked for again (after a timeout, a lost line) is the same intent: it keeps its key. */
  const keyFor = (body: OrderCreateBody): string => {
    const fingerprint = JSON.stringify(body);
    if (intent.current.fingerprint !== fingerprint) intent.current = { fingerprint, key: newIdempotencyKey() };
    return intent.current.key;
  };

  /** The server's token for a checked account; null when the shopper says that it is not theirs. */
  const confirmedAccount = async (fields: FieldValues): Promise<string | null> => {
    const known = check.resultFor(fields);
    if (known) return known.validation_token;
    const answer = await check.run(fields);
    const yes = await confirm({
      title: t('account.confirm', { nickname: answer.nickname }),
      content: t('account.confirmText'),
      confirmText: t('account.confirmYes'),
      cancelText: t('account.confirmNo'),
    });
    return yes ? answer.validation_token : null;
  };

  /** Null when the price moved and the shopper does not want the new one. */
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
        return (await createOrder(body, keyFor(body))).order_no;
      } catch (error) {
        if (!isApiError(error, ErrorCode.PriceChanged)) throw error;
        void refreshGoods();
        const before = preview;
        preview = await quote.refresh();
        const yes = await confirm({
          title: t('price.changed'),
          content: t('price.changedText', {
            before: formatMoney(before.total_amount, before.currency),
            now: formatMoney(preview.total_amount, preview.currency),
          }),
          confirmText: t('price.accept', { now: formatMoney(preview.total_amount, preview.currency) }),
        });
        if (!yes) return null;
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
    notify.danger(error.message || t(error.kind === 'timeout' ? 'goodsDetail.timeout' : 'goodsDetail.offline'));
  };

  const submit = async (values: FieldValues, helpers: FormikHelpers<FieldValues>): Promise<void> => {
    if (!session.hasToken) return session.openLogin();
    if (busy.current || !quote.body) return;
    busy.current = true;
    setBuying(true);
    try {
      const fields = cleanFields(goods.fields, values);
      const token = goods.need_verify_account ? await confirmedAccount(fields) : '';
      if (token === null) return;
      const orderNo = await order(quote.preview ?? (await quote.refresh()), fields, token);
      if (orderNo === null) return;
      intent.current = { fingerprint: '', key: '' };
      rememberFor(goods, values, remember);
      void invalidate(['orders']);
      // The coupon is spent; this page may be kept and come back.
      void invalidate(previewQueryPrefix);
      void refreshGoods();
      navigate(`/order/detail/${orderNo}`);
    } catch (error) {
      fail(error, helpers);
    } finally {
      busy.current = false;
      setBuying(false);
    }
  };
  return { submit, isBuying };
}

/** A comfort for the next time; the order does not hang on it. */
function rememberFor(goods: GoodsInfo, values: FieldValues, wanted: boolean): void {
  const fields = rememberedFields(goods.fields, values);
  if (!wanted || Object.keys(fields).length === 0) return;
  saveAccount({ goods_id: goods.id, fields }).then(
    () => invalidate(savedAccountsQuery(goods.id).queryKey),
    () => {},
  );
}
