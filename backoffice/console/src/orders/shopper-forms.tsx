import type { StaffShopper, WalletActBody } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { confirm, toast } from '@shop/shared/ui';
import { api, postForFile } from '../api';
import { giftRules, refundRules, walletActRules } from '../generated/field-rules';
import { ActionForm } from '../kit/action-form';
import { currencyOptions, type FieldSpec } from '../kit/fields';
import { saveFile } from '../kit/files';
import { mayUse, useMe } from '../session';
import { type Key, useTexts } from '../texts';
import { outcomeText, reason, typedAmount, useRefund } from './refund';

type WalletActValues = Required<Pick<WalletActBody, 'kind' | 'currency' | 'payment_no' | 'amount' | 'reason'>>;

const walletFieldsOf = ({ kind }: WalletActValues): FieldSpec<WalletActValues, Key>[] => [
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
      fields={walletFieldsOf}
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

const changes = {
  disable: { is_usable: false },
  enable: { is_usable: true },
  vip: { is_vip: true },
  noVip: { is_vip: false },
  lock: { wallet_locked: true },
  unlock: { wallet_locked: false },
};
interface AccountChange {
  kind: keyof typeof changes | 'coupon' | 'copy' | 'erase';
  text: string;
}

const accountFieldsOf = ({ kind }: AccountChange): FieldSpec<AccountChange, Key>[] => {
  const actionField: FieldSpec<AccountChange, Key> = { kind: 'select', name: 'kind', label: 'account.title' };
  if (kind === 'copy') return [actionField];
  if (kind === 'coupon')
    return [actionField, { name: 'text', label: 'account.couponKey', hint: 'account.couponHint', ...giftRules.coupon }];
  return [actionField, { name: 'text', label: 'reason', hint: 'queue.whyHint', ...refundRules.reason }];
};

export function AccountForm({ user: { id } }: Pick<StaffShopper, 'user'>) {
  const { t } = useTexts();
  const me = useMe();
  const run = async (kind: AccountChange['kind'], text: string) => {
    if (kind === 'copy') saveFile(`person-${id}.json`, await postForFile('shopper/export', { id }));
    else if (kind === 'coupon') await api('POST shopper/coupon', { id, coupon: text });
    else if (kind === 'erase') await api('POST shopper/erase', { id, reason: text });
    else await api('POST shopper/change', { id, reason: text, ...changes[kind] });
  };
  const submit = async ({ kind, text }: AccountChange) => {
    if (kind === 'erase' || kind === 'disable') {
      const title = t(`account.acts.${kind}`);
      if (!(await confirm({ title, content: t(`account.${kind}Ask`), confirmText: title, danger: true }))) return false;
    }
    return run(kind, text.trim());
  };
  const kinds: AccountChange['kind'][] = ['coupon', ...(Object.keys(changes) as Array<keyof typeof changes>)];
  if (mayUse(me, 'erasure')) kinds.push('copy', 'erase');
  const start: AccountChange = { kind: 'coupon', text: '' };
  return (
    <ActionForm
      label={t('account.title')}
      fields={accountFieldsOf}
      t={t}
      start={start}
      onceSent={{ text: '' }}
      submit={t('wallet.send')}
      kind="danger"
      done={t('account.done')}
      changes={['shopper']}
      choices={{ kind: kinds.map((value) => ({ value, label: t(`account.acts.${value}`) })) }}
      onSubmit={submit}
    />
  );
}
