import type { BalanceLogItem } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney } from '@shop/shared/money';
import { type TextKey, useTexts } from '../texts';

/** Specification, section 3: recharge/log type. */
export const logTypeKeys: readonly TextKey[] = [
  'logType.buy',
  'logType.recharge',
  'logType.refund',
  'logType.deduction',
  'logType.freeze',
  'logType.thaw',
];

export function MovementList({ items }: { items: readonly BalanceLogItem[] }) {
  const t = useTexts();
  return (
    <ul className="account-list">
      {items.map((item) => {
        const key = logTypeKeys[item.type];
        const number = item.order_no
          ? t('log.orderNo', { no: item.order_no })
          : item.recharge_no && t('log.rechargeNo', { no: item.recharge_no });
        return (
          <li key={item.id} className="account-movement">
            <div className="account-grow">
              <strong>{key ? t(key) : item.remark}</strong>
              {key && item.remark ? <p className="account-muted">{item.remark}</p> : null}
              {number ? <p className="account-muted">{number}</p> : null}
              <p className="account-muted">
                <time dateTime={item.created_at}>{formatDate(item.created_at)}</time>
              </p>
            </div>
            <div>
              <b className={item.amount.startsWith('-') ? undefined : 'account-plus'}>
                {formatMoney(item.amount, item.currency, { sign: true })}
              </b>
              <p className="account-muted">
                {t('log.balanceAfter', { amount: formatMoney(item.balance_after, item.currency) })}
              </p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
