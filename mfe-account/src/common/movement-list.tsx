import type { BalanceLogItem } from '@shop/server/wire';
import { LedgerType } from '@shop/shared/domain';
import { useFormatDate } from '@shop/shared/i18n';
import { linkTo } from '@shop/shared/links';
import { formatMoney, toMinor } from '@shop/shared/money';
import { Button } from '@shop/shared/ui';
import { memo } from 'react';
import { type TextKey, useTexts } from '../texts';

export const logTypeKeys: Readonly<Partial<Record<number, TextKey>>> = {
  0: 'logType.buy',
  1: 'logType.recharge',
  2: 'logType.refund',
  3: 'logType.deduction',
  4: 'logType.freeze',
  5: 'logType.thaw',
} satisfies Record<LedgerType, TextKey>;

/** A remark is the code of a payment method, or text by staff, which is shown unchanged. */
export const remarkKeys: Record<string, TextKey> = {
  balance: 'centre.balance',
  sandbox: 'remark.sandbox',
  wechat: 'remark.wechat',
  alipay: 'remark.alipay',
  stripe: 'remark.stripe',
  late: 'remark.late',
  risk: 'remark.risk',
};

export function MovementList({ items }: { items: readonly BalanceLogItem[] }) {
  return (
    <ul className="account-list">
      {items.map((item) => (
        <Movement key={item.id} item={item} />
      ))}
    </ul>
  );
}

/** Memoised: loading another page must not render all earlier rows again. */
const Movement = memo(function Movement({ item }: { item: BalanceLogItem }) {
  const { t } = useTexts();
  const formatDate = useFormatDate();
  const key = logTypeKeys[item.type];
  const remarkKey = remarkKeys[item.remark];
  const remark = remarkKey ? t(remarkKey) : item.remark;
  const number = item.order_no
    ? t('log.orderNo', { no: item.order_no })
    : item.recharge_no && t('log.rechargeNo', { no: item.recharge_no });
  return (
    <li className="account-movement">
      <div className="ui-grow">
        <strong>{key ? t(key) : remark}</strong>
        <p className="ui-muted">
          <time dateTime={item.created_at}>{formatDate(item.created_at)}</time>
        </p>
      </div>
      <div className="ui-push">
        <b translate="no" className={item.amount.startsWith('-') ? 'ui-digits' : 'ui-digits ui-success'}>
          {formatMoney(item.amount, item.currency, { sign: true })}
        </b>
        <p className="ui-muted">{t('log.balanceAfter', { amount: formatMoney(item.balance_after, item.currency) })}</p>
        {toMinor(item.frozen_after) > 0 ? (
          <p className="ui-muted">{t('common.frozen', { amount: formatMoney(item.frozen_after, item.currency) })}</p>
        ) : null}
      </div>
      <div className="account-movement__more">
        {key && remark ? <p className="ui-muted">{remark}</p> : null}
        {number ? (
          <p className="ui-muted" translate="no">
            {number}
          </p>
        ) : null}
        {item.recharge_no && item.type === LedgerType.Recharge ? (
          <Button kind="ghost" size="s" to={linkTo('recharge-receipt', { id: item.recharge_no })}>
            {t('receipt.open')}
          </Button>
        ) : null}
      </div>
    </li>
  );
});
