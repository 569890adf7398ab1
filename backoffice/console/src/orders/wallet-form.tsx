import type { StaffShopper, WalletActBody } from '@shop/backoffice/wire';
import { currencies } from '@shop/shared/domain/lists';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { toast } from '@shop/shared/ui';
import { api } from '../api';
import { walletActRules } from '../generated/money.rules';
import { ActForm } from '../kit/act-form';
import type { FieldSpec } from '../kit/fields';
import { type Key, useTexts } from '../texts';
import { outcomeText } from './outcome';
import { reason, typedAmount } from './reason';
import { useRefund } from './use-refund';

type WalletActValues = Required<Pick<WalletActBody, 'kind' | 'currency' | 'payment_no' | 'amount' | 'reason'>>;

const fieldsOf = ({ kind }: WalletActValues): FieldSpec<WalletActValues, Key>[] => [
  { kind: 'select', name: 'kind', label: 'wallet.kind' },
  kind === 'pay-back'
    ? { kind: 'select', name: 'payment_no', label: 'wallet.payment' }
    : { kind: 'select', name: 'currency', label: 'wallet.currency' },
  { name: 'amount', label: 'wallet.amount', ...typedAmount, ...walletActRules.amount },
  reason,
];

/** Moves a user's money manually. The same key again is the same action; a success starts another one. */
export function WalletForm({ user: { id }, payments }: Pick<StaffShopper, 'user' | 'payments'>) {
  const { t } = useTexts();
  const { asked, send } = useRefund();
  const paid = payments.filter((one) => one.state === 'paid');
  const submit = ({ payment_no, ...wish }: WalletActValues) =>
    send(async ({ key }) => {
      const payment = wish.kind === 'pay-back' ? paid.find((one) => one.payment_no === payment_no) : undefined;
      const answer = await api('POST wallet', {
        ...{ id, kind: wish.kind, amount: wish.amount.trim(), reason: wish.reason.trim(), key },
        currency: payment?.currency ?? wish.currency,
        ...(payment && { payment_no }),
      });
      toast.success(outcomeText('wallet', answer));
    });
  const kinds = ['credit', 'deduct', 'freeze', 'thaw', ...(paid.length > 0 ? ['pay-back' as const] : [])] as const;
  const start: WalletActValues = {
    kind: 'credit',
    currency: 'CNY',
    payment_no: paid[0]?.payment_no ?? '',
    amount: '',
    reason: '',
  };
  return (
    <ActForm
      title={t('wallet.title')}
      fields={fieldsOf}
      t={t}
      start={start}
      onceSent={{ amount: '', reason: '' }}
      submit={t('wallet.send')}
      kind="danger"
      choices={{
        kind: kinds.map((value) => ({ value, label: t(`wallet.kinds.${value}`) })),
        currency: currencies.map((value) => ({ value, label: value })),
        payment_no: paid.map((one) => ({
          value: one.payment_no,
          label: `${formatDate(one.created_at)} ${one.method} ${money(one.amount, one.currency)}`,
        })),
      }}
      changes={['shopper', 'wallet']}
      onSubmit={submit}
    >
      {asked}
    </ActForm>
  );
}
