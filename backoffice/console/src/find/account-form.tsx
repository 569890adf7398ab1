import type { StaffShopper } from '@shop/server/wire';
import { invalidate } from '@shop/shared/query';
import { Button, confirm, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { post, postForFile } from '../api';
import { saveFile } from '../csv';
import { Fault, Field, Select, useFormAct } from '../parts';
import { useTexts } from '../refunds/texts';
import { mayUse, useMe } from '../session';
import { useTexts as useSharedTexts } from '../texts';

const changes = {
  disable: { is_usable: false },
  enable: { is_usable: true },
  vip: { is_vip: true },
  noVip: { is_vip: false },
  lock: { wallet_locked: true },
  unlock: { wallet_locked: false },
};
type Act = keyof typeof changes | 'coupon' | 'copy' | 'erase';

/** What staff may do with a person's account, each with its line in the audit log. */
export function AccountForm({ person }: Pick<StaffShopper, 'person'>) {
  const { t } = useTexts();
  const { t: shared } = useSharedTexts();
  const me = useMe();
  const [kind, setKind] = useState<Act>('coupon');
  const [text, setText] = useState('');
  const { busy, fault, act } = useFormAct();
  const { id } = person;
  const work = async () => {
    if (kind === 'copy') saveFile(`person-${id}.json`, await postForFile('shopper/export', { id, format: 'json' }));
    else if (kind === 'coupon') await post('shopper/coupon', { id, coupon: text.trim() });
    else if (kind === 'erase') await post('shopper/erase', { id, reason: text.trim() });
    else await post('shopper/change', { id, reason: text.trim(), ...changes[kind] });
    toast.success(t('done'));
    setText('');
    await invalidate(['shopper', String(id)]);
  };
  const submit = async () => {
    const asks = kind === 'erase' || kind === 'disable';
    const question = { title: t(`acts.${kind}`), content: asks && t(`${kind}Ask`), confirmText: t(`acts.${kind}`) };
    if (!asks || (await confirm({ ...question, danger: true }))) await act(work);
  };
  const kinds: Act[] = ['coupon', ...(Object.keys(changes) as Act[])];
  if (mayUse(me)) kinds.push('copy', 'erase');
  return (
    <form
      className="card row search"
      aria-label={t('account')}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Select<Act>
        label={t('account')}
        value={kind}
        options={kinds.map((value) => ({ value, label: t(`acts.${value}`) }))}
        onValue={setKind}
      />
      {kind !== 'copy' && (
        <Field
          label={kind === 'coupon' ? t('couponKey') : shared('queue.why')}
          hint={kind === 'coupon' ? t('couponHint') : shared('queue.whyHint')}
          value={text}
          onValue={setText}
          maxLength={kind === 'coupon' ? 60 : 500}
          autoComplete="off"
          required
        />
      )}
      <Button type="submit" kind="danger" loading={busy}>
        {t('send')}
      </Button>
      {fault && <Fault>{fault}</Fault>}
    </form>
  );
}
