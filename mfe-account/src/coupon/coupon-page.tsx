import { plainText } from '@shop/shared/domain/plain-text';
import { linkTo } from '@shop/shared/links';
import '../account.css';
import './coupon.css';
import { Form, FormError, object, SubmitButton, showFailure, string, TextField } from '@shop/shared/forms';
import { isApiError, post } from '@shop/shared/http';
import { withIdempotencyKey } from '@shop/shared/payment';
import { invalidate, prefetch, useQuery } from '@shop/shared/query';
import { Button, Empty, PageBody, Sheet, Tabs, toast, Waiting } from '@shop/shared/ui';
import { useState } from 'react';
import { couponsQuery, couponsQueryPrefix } from '../account.api';
import { messageKey, useTexts } from '../texts';
import { CouponCard } from './coupon-card';

const tabs = [
  { key: '1', label: 'coupon.unused', title: 'coupon.emptyUnused', hint: 'coupon.emptyUnusedHint' },
  { key: '2', label: 'coupon.used', title: 'coupon.emptyUsed', hint: 'coupon.emptyUsedHint' },
  { key: '3', label: 'coupon.expired', title: 'coupon.emptyExpired', hint: 'coupon.emptyExpiredHint' },
] as const;

export const loader = () => prefetch(couponsQuery('1'));

/** The server reads a code in this form: trimmed, in upper case, full-width characters folded (API contract, Coupons). */
const normalise = (code: string) => plainText(code).toUpperCase();

const codeSchema = object({
  code: string()
    .transform(normalise)
    .required(messageKey('coupon.codeRequired'))
    .max(64, messageKey('coupon.codeLong'))
    .matches(/^[A-Z0-9_-]+$/, { message: messageKey('coupon.codeFormat'), excludeEmptyString: true }),
});

export function Component() {
  const { t } = useTexts();
  const [status, setStatus] = useState<string>('1');
  const [redeeming, setRedeeming] = useState(false);
  const coupons = useQuery(couponsQuery(status));
  const tab = tabs.find((item) => item.key === status) ?? tabs[0];
  return (
    <PageBody>
      <div className="ui-stack ui-gap-4">
        <div className="account-coupons__head ui-row ui-gap-2 ui-wrap">
          <Tabs
            label={t('coupon.tabs')}
            value={status}
            onChange={setStatus}
            items={tabs.map((item) => ({ key: item.key, label: t(item.label) }))}
          />
          <Button kind="ghost" size="s" className="ui-push" aria-haspopup="dialog" onClick={() => setRedeeming(true)}>
            {t('coupon.byCode')}
          </Button>
        </div>
        {coupons.data ? (
          coupons.data.length > 0 ? (
            <ul className="account-coupons ui-stack">
              {coupons.data.map((coupon) => (
                <li key={coupon.user_coupon_id}>
                  <CouponCard coupon={coupon} onEnd={() => void invalidate(couponsQueryPrefix)} />
                </li>
              ))}
            </ul>
          ) : (
            <Empty
              art="coupon"
              title={t(tab.title)}
              description={t(tab.hint)}
              action={<Button to={linkTo('home')}>{t('common.browse')}</Button>}
            />
          )
        ) : (
          <Waiting query={coupons} heights={[168, 168, 168]} className="account-coupons" />
        )}
      </div>
      <Sheet open={redeeming} onClose={() => setRedeeming(false)} title={t('coupon.redeem')}>
        <RedeemForm
          onRedeemed={() => {
            setRedeeming(false);
            setStatus('1');
            void coupons.refetch();
          }}
        />
      </Sheet>
    </PageBody>
  );
}

function RedeemForm({ onRedeemed }: { onRedeemed: () => void }) {
  const { t } = useTexts();
  return (
    <Form
      ns="account"
      className="account-redeem"
      aria-label={t('coupon.redeem')}
      initialValues={{ code: '' }}
      schema={codeSchema}
      onSubmit={async (values, helpers) => {
        const code = normalise(values.code);
        try {
          await withIdempotencyKey(`coupon:${code}`, (idempotencyKey) =>
            post('/api/front/coupon/receiveByCode', { code }, { idempotencyKey, quiet: true }),
          );
        } catch (error) {
          if (isApiError(error) && error.kind === 'business' && error.message && error.code !== 401) {
            helpers.setStatus({ serverErrors: { code: error.message } });
          } else showFailure(error, helpers, messageKey('common.networkFailed'));
          return;
        }
        helpers.resetForm();
        toast.success(t('coupon.redeemed'));
        onRedeemed();
        await invalidate(couponsQueryPrefix);
      }}
    >
      <TextField
        name="code"
        label={t('coupon.codeLabel')}
        placeholder={t('coupon.codePlaceholder')}
        autoComplete="off"
        maxLength={64}
      />
      <FormError />
      <SubmitButton size="m">{t('coupon.redeemAction')}</SubmitButton>
    </Form>
  );
}
