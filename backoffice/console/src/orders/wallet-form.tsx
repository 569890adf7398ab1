import type { StaffShopper, WalletActBody } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { toast } from '@shop/shared/ui';
import { api } from '../api';
import { walletActRules } from '../generated/money.rules';
import { ActionForm } from '../kit/action-form';
import { currencyOptions, type FieldSpec } from '../kit/fields';
import { type Key, useTexts } from '../texts';
import { outcomeText, reason, typedAmount, useRefund } from './use-refund';

type WalletActValues = Required<Pick<WalletActBody, 'kind' | 'currency' | 'payment_no' | 'amount' | 'reason'>>;

const fieldsOf = ({ kind }: WalletActValues): FieldSpec<WalletActValues, Key>[] => [
  { kind: 'select', name: 'kind', label: 'wallet.kind' },
  kind === 'pay-back'
    ? { kind: 'select', name: 'payment_no', label: 'wallet.payment' }
    : { kind: 'select', name: 'currency', label: 'currency' },
  { name: 'amount', label: 'queue.amount', ...typedAmount, ...walletActRules.amount },
  reason,
];

/** Moves a user's money manually. The same key again is the same action; a success starts another one. */
export function WalletForm({ user: { id }, payments }: Pick<StaffShopper, 'user' | 'payments'>) {
  const { t } = useTexts();
  const { questions, send } = useRefund();
  const paid = payments.filter((payment) => payment.state === 'paid');
  const submit = ({ payment_no, ...input }: WalletActValues) =>
    send(async ({ key }) => {
      const payment =
        input.kind === 'pay-back' ? paid.find((candidate) => candidate.payment_no === payment_no) : undefined;
      const answer = await api('POST wallet', {
        id,
        kind: input.kind,
        amount: input.amount.trim(),
        reason: input.reason.trim(),
        key,
        currency: payment?.currency ?? input.currency,
        ...(payment && { payment_no }),
      });
      toast.success(outcomeText(answer));
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
    <ActionForm
      title={t('wallet.title')}
      fields={fieldsOf}
      t={t}
      start={start}
      onceSent={{ amount: '', reason: '' }}
      submit={t('wallet.send')}
      kind="danger"
      choices={{
        kind: kinds.map((value) => ({ value, label: t(`wallet.kinds.${value}`) })),
        currency: currencyOptions,
        payment_no: paid.map((payment) => ({
          value: payment.payment_no,
          label: `${formatDate(payment.created_at)} ${payment.method} ${money(payment.amount, payment.currency)}`,
        })),
      }}
      changes={['shopper', 'wallet']}
      onSubmit={submit}
    >
      {questions}
    </ActionForm>
  );
}
