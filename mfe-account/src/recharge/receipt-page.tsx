import { getQuery } from '@shop/shared/http';
import { useFormatDate } from '@shop/shared/i18n';
import { linkTo } from '@shop/shared/links';
import { compareMoney, formatMoney } from '@shop/shared/money';
import { prefetch, useQuery } from '@shop/shared/query';
import { Receipt, ReceiptLine } from '@shop/shared/receipt';
import { useParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { Button, Empty, PageBody, Waiting } from '@shop/shared/ui';
import { remarkKeys } from '../common/movement-list';
import { useTexts } from '../texts';

const rechargeInfoQuery = (recharge_no: string) =>
  getQuery('/api/front/recharge/info', ['account', 'recharge-info', recharge_no], { recharge_no });

export const loader = ({ params }: LoaderArguments) => prefetch(rechargeInfoQuery(params.id ?? ''));

export function Component() {
  const { t } = useTexts();
  const formatDate = useFormatDate();
  const { id = '' } = useParams();
  const query = useQuery(rechargeInfoQuery(id));
  const { data: recharge } = query;
  if (!recharge)
    return (
      <PageBody narrow>
        <Waiting query={query} heights={[320]} />
      </PageBody>
    );
  const { amount, currency, method, paid_at, payment_no, refunded_amount } = recharge;
  const methodKey = remarkKeys[method];
  return (
    <PageBody narrow>
      {paid_at ? (
        <Receipt>
          <dl>
            <ReceiptLine label={t('receipt.rechargeNo')}>{recharge.recharge_no}</ReceiptLine>
            <ReceiptLine label={t('receipt.createdAt')}>{formatDate(recharge.created_at)}</ReceiptLine>
            <ReceiptLine label={t('receipt.paidAt')}>{formatDate(paid_at)}</ReceiptLine>
            <ReceiptLine label={t('recharge.method')}>{methodKey ? t(methodKey) : method}</ReceiptLine>
            {payment_no && <ReceiptLine label={t('receipt.paymentNo')}>{payment_no}</ReceiptLine>}
          </dl>
          <dl>
            <ReceiptLine label={t('receipt.paid')} total>
              {formatMoney(amount, currency)}
            </ReceiptLine>
            {compareMoney(refunded_amount, '0.00') > 0 && (
              <ReceiptLine label={t('receipt.refunded')}>−{formatMoney(refunded_amount, currency)}</ReceiptLine>
            )}
          </dl>
        </Receipt>
      ) : (
        <Empty
          art="wallet"
          title={t('receipt.none')}
          description={t('receipt.noneText')}
          action={<Button to={linkTo('log')}>{t('centre.log')}</Button>}
        />
      )}
    </PageBody>
  );
}
