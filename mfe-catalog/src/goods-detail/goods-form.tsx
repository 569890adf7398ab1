import type { FieldValues, GoodsInfo } from '@shop/server/wire';
import { Form } from '@shop/shared/forms';
import { formatMoney } from '@shop/shared/money';
import { RedeemSteps as Steps } from '@shop/shared/payment';
import { useLocation, useSearchParams } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Button, Card, Icon, PageBody, Price, SafeHtml, StickyBar, VisuallyHidden } from '@shop/shared/ui';
import { useEffect, useMemo, useState } from 'react';
import { rememberSeen } from '../seen/seen-goods';
import { useTexts } from '../texts';
import { AccountFields, useAccountCheck } from './account-fields';
import { CouponPicker } from './coupon-picker';
import { CustomValue } from './custom-value';
import { emptyValues, fieldsSchema } from './fields.schema';
import { GoodsHero } from './goods-hero';
import { useGoodsTexts } from './goods-texts';
import { MoreGoods } from './more-goods';
import { PriceBreakdown } from './price-breakdown';
import { PriceSteps, Quantity } from './quantity';
import { clampQuantity, firstSelection, isSoldOut, type Selection } from './selection';
import { SpecPicker } from './spec-picker';
import { useBuy } from './use-buy';
import { useQuote } from './use-quote';

function RedeemSteps({ steps }: { steps: string[] }) {
  const { t } = useTexts();
  if (steps.length === 0) return null;
  return (
    <Card padding="none">
      <details className="catalog-redeem">
        <summary>{t('goodsDetail.redeem')}</summary>
        <Steps steps={steps} />
      </details>
    </Card>
  );
}

function AboutGoods({ goods }: { goods: GoodsInfo }) {
  const { t } = useTexts();
  return (
    <>
      {goods.notice && (
        <section className="catalog-notice ui-tone--warning" aria-label={t('goodsDetail.notice')}>
          <Icon name="alert" size={20} />
          <p>{goods.notice}</p>
        </section>
      )}
      {goods.description_html && (
        <Card as="section" aria-label={t('goodsDetail.about')}>
          <VisuallyHidden as="h2">{t('goodsDetail.about')}</VisuallyHidden>
          <SafeHtml html={goods.description_html} className="catalog-description" />
        </Card>
      )}
    </>
  );
}

interface GoodsFormProps {
  goods: GoodsInfo;
  refreshGoods: () => Promise<unknown>;
}

/** The form stays mounted during sign-in, so that no input is lost. */
export const GoodsForm = observer(function GoodsForm({ goods, refreshGoods }: GoodsFormProps) {
  const { t, language } = useTexts();
  const { t: tGoods } = useGoodsTexts();
  const [search] = useSearchParams();
  const again = useLocation().state as { fields?: FieldValues } | null;
  const [selection, setSelection] = useState(() => firstSelection(goods, search));
  const [remember, setRemember] = useState(true);
  const schema = useMemo(() => fieldsSchema(goods.fields), [goods.fields]);
  const [initialValues] = useState(() => ({ ...emptyValues(goods.fields), ...again?.fields }));
  const check = useAccountCheck(goods.id);
  const { id, image, name } = goods;
  useEffect(() => rememberSeen({ id, image, name }, language), [id, image, name, language]);
  const quote = useQuote(goods, selection, () => setSelection((now) => ({ ...now, coupon: 'best' })));
  const buy = useBuy({ goods, quote, check, remember, refreshGoods });

  const change = (next: Partial<Selection>) =>
    setSelection((now) => {
      const changed = { ...now, ...next };
      return { ...changed, quantity: clampQuantity(goods, changed, changed.quantity) };
    });
  const soldOut = isSoldOut(goods);

  return (
    <PageBody>
      <Form initialValues={initialValues} schema={schema} ns="catalog" onSubmit={buy.submit}>
        <div className="catalog-goods-detail">
          <div className="catalog-goods-detail__main">
            <GoodsHero goods={goods} />
            <Card>
              {goods.custom ? (
                <CustomValue
                  custom={goods.custom}
                  value={selection.customValue}
                  currency={goods.currency}
                  onChange={(customValue) => change({ customValue })}
                />
              ) : (
                <SpecPicker goods={goods} value={selection.specId} onChange={(specId) => change({ specId })} />
              )}
              <Quantity goods={goods} selection={selection} onChange={(quantity) => change({ quantity })} />
              <PriceSteps goods={goods} selection={selection} />
            </Card>
          </div>
          <div className="catalog-goods-detail__side">
            {goods.fields.length > 0 && (
              <AccountFields goods={goods} check={check} remember={remember} onRemember={setRemember} />
            )}
            <div className="catalog-goods-detail__summary">
              <Card>
                <CouponPicker quote={quote} choice={selection.coupon} onChange={(coupon) => change({ coupon })} />
                <PriceBreakdown quote={quote} currency={goods.currency} />
              </Card>
            </div>
            <div className="catalog-goods-detail__bar">
              <StickyBar>
                <output className="catalog-total ui-muted" aria-busy={quote.isUpdating}>
                  <span>
                    {quote.saved ? tGoods('coupon.total') : t('goodsDetail.total')}
                    {quote.saved && !soldOut && (
                      <small className="catalog-total__saved ui-success ui-bold">
                        {tGoods('coupon.saved', { amount: formatMoney(quote.saved, goods.currency) })}
                      </small>
                    )}
                  </span>
                  {quote.total && !soldOut ? (
                    <Price amount={quote.total} currency={goods.currency} size="l" />
                  ) : (
                    <span>—</span>
                  )}
                </output>
                <Button type="submit" size="l" loading={buy.isBuying} disabled={!quote.body || buy.isBuying}>
                  {t(soldOut ? 'soldOut' : 'goodsDetail.buy')}
                </Button>
              </StickyBar>
            </div>
          </div>
          <div className="ui-stack ui-gap-4">
            <RedeemSteps steps={goods.redeem} />
            <AboutGoods goods={goods} />
          </div>
        </div>
      </Form>
      <MoreGoods goods={goods} />
    </PageBody>
  );
});
