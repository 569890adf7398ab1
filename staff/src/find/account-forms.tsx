import type { StaffShopper } from '@shop/server/wire';
import { invalidate } from '@shop/shared/query';
import { Button, confirm, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { post, postForFile } from '../api';
import { saveFile } from '../csv';
import { Area, Fault, Field, Select, useFormAct } from '../parts';
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
type Change = keyof typeof changes;

/** What staff may do with a person's account, each with its line in the audit log. */
export function AccountForms({ person }: Pick<StaffShopper, 'person'>) {
  const { t } = useTexts();
  const { t: shared } = useSharedTexts();
  const isManager = mayUse(useMe());
  const [change, setChange] = useState<Change>(person.is_usable ? 'disable' : 'enable');
  const [reason, setReason] = useState('');
  const [coupon, setCoupon] = useState('');
  const { busy, fault, act } = useFormAct();
  const done = async (text: string) => {
    toast.success(text);
    setReason('');
    setCoupon('');
    await invalidate(['shopper', String(person.id)]);
  };
  const body = { id: person.id, reason: reason.trim() };
  const changeAccount = async () => {
    const ask = { title: t(`changes.${change}`), content: t('disableText'), danger: true };
    if (change === 'disable' && !(await confirm(ask))) return;
    await act(async () => {
      await post('shopper/change', { ...body, ...changes[change] });
      await done(shared('saved'));
    });
  };
  const erase = async () => {
    if (!(await confirm({ title: t('erase'), content: t('eraseHint'), confirmText: t('erase'), danger: true }))) return;
    await act(async () => {
      const { pseudonym } = await post<{ pseudonym: string }>('shopper/erase', body);
      await done(t('erased', { name: pseudonym }));
    });
  };
  const give = () =>
    act(async () => {
      await post('shopper/coupon', { id: person.id, coupon: coupon.trim() });
      await done(t('given'));
    });
  const copy = () =>
    act(async () => {
      const file = await postForFile('shopper/export', { id: person.id, format: 'json' });
      saveFile(`person-${person.id}.json`, file);
    });
  const options = (Object.keys(changes) as Change[]).map((value) => ({ value, label: t(`changes.${value}`) }));
  return (
    <section className="card fields" aria-labelledby="account-title">
      <h2 id="account-title">{t('account')}</h2>
      <form
        className="row search"
        onSubmit={(event) => {
          event.preventDefault();
          void give();
        }}
      >
        <Field
          label={t('couponKey')}
          hint={t('couponHint')}
          value={coupon}
          onValue={setCoupon}
          maxLength={60}
          autoComplete="off"
          required
        />
        <Button type="submit" kind="secondary" loading={busy}>
          {t('coupon')}
        </Button>
      </form>
      <Area
        label={shared('queue.why')}
        hint={shared('queue.whyHint')}
        rows={2}
        value={reason}
        onValue={setReason}
        maxLength={500}
      />
      <div className="row search">
        <Select<Change> label={t('change')} value={change} options={options} onValue={setChange} />
        <Button kind="secondary" loading={busy} disabled={body.reason === ''} onClick={() => void changeAccount()}>
          {t('change')}
        </Button>
        {isManager && (
          <Button kind="danger" loading={busy} disabled={body.reason === ''} onClick={() => void erase()}>
            {t('erase')}
          </Button>
        )}
      </div>
      {fault && <Fault>{fault}</Fault>}
      {isManager && (
        <Button kind="secondary" loading={busy} onClick={() => void copy()}>
          {t('copy')}
        </Button>
      )}
    </section>
  );
}
