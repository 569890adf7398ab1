import type { StaffInvitationShown, StaffListed, StaffRole } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { invalidate } from '@shop/shared/query';
import { Button, CopyButton, confirm, Dialog, Tag, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { api, useApi } from './api';
import { ActForm } from './forms/act-form';
import type { FieldSpec } from './forms/fields';
import { List, Select, useAct } from './parts';
import { useMe } from './session';
import { type Key, useTexts } from './texts';

/** Browsers send what stands behind the # to nobody. */
const addressOf = (token: string) => `${location.origin}/staff/setup#${token}`;
const roles: StaffRole[] = ['seller', 'stock', 'money', 'manager', 'ops'];

export function PeoplePage() {
  const { t } = useTexts();
  const [shown, setShown] = useState<StaffInvitationShown | null>(null);
  return (
    <>
      <h1>{t('people.title')}</h1>
      <AddPerson onAdded={setShown} />
      <List query={useApi('GET people', {})} empty={t('none')} lines={4}>
        {(person) => <PersonRow key={person.name} person={person} onReset={setShown} />}
      </List>
      {shown && <Invitation {...shown} onClose={() => setShown(null)} />}
    </>
  );
}

type Person = Pick<StaffListed, 'name' | 'role'>;
const fields: FieldSpec<Person, Key>[] = [
  { name: 'name', label: 'people.name', maxLength: 40, required: true },
  {
    kind: 'select',
    name: 'role',
    label: 'people.role',
    options: Object.fromEntries(roles.map((role) => [`role.${role}`, role])),
  },
];

function AddPerson({ onAdded }: { onAdded(invitation: StaffInvitationShown): void }) {
  const { t } = useTexts();
  const start: Person = { name: '', role: 'seller' };
  return (
    <ActForm
      className="card row"
      layout="row"
      fields={fields}
      t={t}
      start={start}
      submit={t('people.add')}
      icon="plus"
      changes={['people']}
      onSubmit={async ({ name, role }) => onAdded(await api('POST people', { name: name.trim(), role }))}
    />
  );
}

function PersonRow({ person, onReset }: { person: StaffListed; onReset(invitation: StaffInvitationShown): void }) {
  const { t } = useTexts();
  const { busy, act } = useAct();
  const me = useMe();
  const { name, role, disabled_at, is_set_up } = person;
  const [next, setNext] = useState(role);
  const options = roles.map((one) => ({ value: one, label: t(`role.${one}`) }));
  const ask = (what: 'disable' | 'reset') =>
    confirm({ title: t(`people.${what}Ask`, { name }), content: t(`people.${what}Text`), danger: true });
  const change = (body: { role?: StaffRole; disabled?: boolean }) =>
    act(async () => {
      await api('POST people/change', { name, ...body });
      await invalidate(['people']);
      toast.success(t('saved'));
    });
  const disable = async () => (await ask('disable')) && change({ disabled: true });
  const reset = () =>
    act(async () => {
      if (!(await ask('reset'))) return;
      const invitation = await api('POST people/reset', { name });
      // The own session has ended with it: the next call would take the address away with the page.
      if (name === me.name) location.assign(addressOf(invitation.token));
      else {
        onReset(invitation);
        await invalidate(['people']);
      }
    });
  return (
    <article className="card row">
      <p className="grow">
        <strong>{name}</strong> {disabled_at && <Tag tone="warning">{t('people.disabled')}</Tag>}
        {!is_set_up && <Tag>{t('people.invited')}</Tag>}
        <br />
        <span className="hint">{t('people.since', { day: formatDate(person.created_at, 'day') })}</span>
      </p>
      <Select<StaffRole> label={t('people.role')} value={next} options={options} onValue={(one) => setNext(one)} />
      {next !== role && (
        <Button disabled={busy} onClick={() => void change({ role: next })}>
          {t('save')}
        </Button>
      )}
      <Button kind="secondary" disabled={busy} onClick={() => void reset()}>
        {t('people.reset')}
      </Button>
      <Button
        kind="secondary"
        disabled={busy}
        onClick={() => void (disabled_at ? change({ disabled: false }) : disable())}
      >
        {t(disabled_at ? 'people.enable' : 'people.disable')}
      </Button>
    </article>
  );
}

function Invitation({ name, token, expires_at, onClose }: StaffInvitationShown & { onClose(): void }) {
  const { t } = useTexts();
  const address = addressOf(token);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('people.shown', { name })}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('keys.close')}
          </Button>
          <CopyButton text={address} label={t('copy')} kind="primary" size="m" />
        </>
      }
    >
      <p>{t('people.once', { name, until: formatDate(expires_at) })}</p>
      <p>
        <code className="secret">{address}</code>
      </p>
    </Dialog>
  );
}
