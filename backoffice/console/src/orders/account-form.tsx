import type { StaffShopper } from '@shop/backoffice/wire';
import { confirm } from '@shop/shared/ui';
import { api, postForFile } from '../api';
import { refundRules } from '../generated/money.rules';
import { couponRules } from '../generated/shoppers.rules';
import { ActionForm } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { saveFile } from '../kit/files';
import { mayUse, useMe } from '../session';
import { type Key, useTexts } from '../texts';

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

const fieldsOf = ({ kind }: AccountChange): FieldSpec<AccountChange, Key>[] => {
  const actionField: FieldSpec<AccountChange, Key> = { kind: 'select', name: 'kind', label: 'account.title' };
  if (kind === 'copy') return [actionField];
  if (kind === 'coupon')
    return [
      actionField,
      { name: 'text', label: 'account.couponKey', hint: 'account.couponHint', ...couponRules.coupon },
    ];
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
      fields={fieldsOf}
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
