import type { StaffInvitationShown, StaffListed, StaffRole } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { invalidate } from '@shop/shared/query';
import { Button, CopyButton, confirm, Dialog, Tag, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { api, useApi } from './api';
import { ActForm } from './forms/act-form';
import type { FieldSpec } from './forms/fields';
import { Loaded, Select, useAct } from './parts';
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
      <Loaded query={useApi('GET people', {})} lines={4}>
        {(people) => (
          <ul className="list">
            {people.map((person) => (
              <PersonRow key={person.name} person={person} onReset={setShown} />
            ))}
          </ul>
        )}
      </Loaded>
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
    options: roles.map((role) => ({ value: role, label: `role.${role}` as const })),
  },
];

function AddPerson({ onAdded }: { onAdded(invitation: StaffInvitationShown): void }) {
  const { t } = useTexts();
  const add = async ({ name, role }: Person) => {
    onAdded(await api('POST people', { name: name.trim(), role }));
    await invalidate(['people']);
  };
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
      onSubmit={add}
    />
  );
}

function RoleSelect({ value, onValue }: { value: StaffRole; onValue(role: StaffRole): void }) {
  const { t } = useTexts();
  const options = roles.map((role) => ({ value: role, label: t(`role.${role}`) }));
  return <Select label={t('people.role')} value={value} options={options} onValue={onValue} />;
}

function PersonRow({ person, onReset }: { person: StaffListed; onReset(invitation: StaffInvitationShown): void }) {
  const { t } = useTexts();
  const { busy, act } = useAct();
  const me = useMe();
  const { name, role, disabled_at, is_set_up } = person;
  const [next, setNext] = useState(role);
  const change = (body: { role?: StaffRole; disabled?: boolean }) =>
    act(async () => {
      await api('POST people/change', { name, ...body });
      await invalidate(['people']);
      toast.success(t('saved'));
    });
  const disable = async () => {
    const values = { name };
    if (await confirm({ title: t('people.disableAsk', values), content: t('people.disableText'), danger: true }))
      await change({ disabled: true });
  };
  const reset = async () => {
    if (!(await confirm({ title: t('people.resetAsk', { name }), content: t('people.resetText'), danger: true })))
      return;
    await act(async () => {
      const invitation = await api('POST people/reset', { name });
      // The own session has ended with it: the next call would take the address away with the page.
      if (name === me.name) location.assign(addressOf(invitation.token));
      else {
        onReset(invitation);
        await invalidate(['people']);
      }
    });
  };
  return (
    <li className="card row">
      <p className="grow">
        <strong>{name}</strong> {disabled_at && <Tag tone="warning">{t('people.disabled')}</Tag>}
        {!is_set_up && <Tag>{t('people.invited')}</Tag>}
        <br />
        <span className="hint">{t('people.since', { day: formatDate(person.created_at, 'yyyy-MM-dd') })}</span>
      </p>
      <RoleSelect value={next} onValue={setNext} />
      {next !== role && (
        <Button disabled={busy} onClick={() => void change({ role: next })}>
          {t('save')}
        </Button>
      )}
      <Button kind="secondary" disabled={busy} onClick={() => void reset()}>
        {t('people.reset')}
      </Button>
      {disabled_at ? (
        <Button kind="secondary" disabled={busy} onClick={() => void change({ disabled: false })}>
          {t('people.enable')}
        </Button>
      ) : (
        <Button kind="secondary" disabled={busy} onClick={() => void disable()}>
          {t('people.disable')}
        </Button>
      )}
    </li>
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
