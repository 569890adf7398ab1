import { type StaffRole, staffRoles } from '@shop/backoffice/roles';
import type { StaffInvitationShown, StaffListed } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { Button, CopyButton, Dialog, Tag } from '@shop/shared/ui';
import { useState } from 'react';
import { api, useApi } from '../api';
import { ActionButton, ActionForm, refetch } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { type Column, ListTable } from '../kit/list-table';
import { Select } from '../kit/parts';
import { useMe } from '../session';
import { type Key, useTexts } from '../texts';

/** Browsers do not send the fragment of an address. */
const addressOf = (token: string) => `${location.origin}/staff/setup#${token}`;

export function PeoplePage() {
  const { t } = useTexts();
  const [shown, setShown] = useState<StaffInvitationShown | null>(null);
  return (
    <>
      <h1>{t('nav.people')}</h1>
      <ActionForm
        className="card row"
        layout="row"
        fields={fields}
        t={t}
        start={newUser}
        submit={t('people.add')}
        icon="plus"
        changes={['people']}
        onSubmit={async ({ name, role }) => setShown(await api('POST people', { name: name.trim(), role }))}
      />
      <ListTable
        label={t('nav.people')}
        query={useApi('GET people', {})}
        empty={t('none')}
        columns={useColumns(setShown)}
        keyOf={({ name }) => name}
      />
      {shown && <Invitation {...shown} onClose={() => setShown(null)} />}
    </>
  );
}

type User = Pick<StaffListed, 'name' | 'role'>;
const newUser: User = { name: '', role: 'seller' };
const fields: FieldSpec<User, Key>[] = [
  { name: 'name', label: 'signIn.name', maxLength: 40, required: true },
  {
    kind: 'select',
    name: 'role',
    label: 'people.role',
    options: Object.fromEntries(staffRoles.map((role) => [`role.${role}`, role])),
  },
];

function useColumns(onReset: (invitation: StaffInvitationShown) => void): Column<StaffListed>[] {
  const { t } = useTexts();
  return [
    { head: t('signIn.name'), cell: ({ name }) => <strong>{name}</strong> },
    { head: t('people.role'), cell: (user) => <RoleChoice key={user.role} user={user} />, kind: 'sign' },
    {
      head: t('status'),
      cell: ({ disabled_at, is_set_up }) => (
        <span className="tags">
          {disabled_at && <Tag tone="warning">{t('people.disabled')}</Tag>}
          {!is_set_up && <Tag>{t('people.invited')}</Tag>}
          {!disabled_at && is_set_up && <Tag tone="success">{t('people.active')}</Tag>}
        </span>
      ),
      kind: 'sign',
    },
    { head: t('people.joined'), cell: ({ created_at }) => formatDate(created_at, 'day') },
    { head: t('people.acts'), cell: (user) => <UserActions user={user} onReset={onReset} />, kind: 'actions' },
  ];
}

function RoleChoice({ user: { name, role } }: { user: StaffListed }) {
  const { t } = useTexts();
  const [next, setNext] = useState(role);
  const options = staffRoles.map((role) => ({ value: role, label: t(`role.${role}`) }));
  const save = () => api('POST people/change', { name, role: next });
  return (
    <div className="row">
      <Select<StaffRole> label={t('people.roleOf', { name })} value={next} options={options} onValue={setNext} />
      {next !== role && (
        <ActionButton kind="primary" action={save} done={t('saved')} changes={['people']}>
          {t('save')}
        </ActionButton>
      )}
    </div>
  );
}

function UserActions({ user, onReset }: { user: StaffListed; onReset(invitation: StaffInvitationShown): void }) {
  const { t } = useTexts();
  const me = useMe();
  const { name, disabled_at } = user;
  const ask = (what: 'disable' | 'reset') =>
    ({ title: t(`people.${what}Ask`, { name }), content: t(`people.${what}Text`, { name }), danger: true }) as const;
  const reset = async () => {
    const invitation = await api('POST people/reset', { name });
    // The own session has ended with it, so the next call would remove this page with the address.
    if (name === me.name) return location.assign(addressOf(invitation.token));
    onReset(invitation);
    await refetch(['people']);
  };
  return (
    <>
      <ActionButton question={ask('reset')} action={reset}>
        {t('people.reset')}
      </ActionButton>{' '}
      <ActionButton
        question={disabled_at ? undefined : ask('disable')}
        action={() => api('POST people/change', { name, disabled: !disabled_at })}
        done={t('saved')}
        changes={['people']}
      >
        {t(disabled_at ? 'people.enable' : 'people.disable')}
      </ActionButton>
    </>
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
            {t('close')}
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
