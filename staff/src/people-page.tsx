import type { StaffInvitationShown, StaffListed, StaffRole } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { invalidate, useQuery } from '@shop/shared/query';
import { Button, CopyButton, confirm, Dialog, ErrorState, Tag, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { call, post } from './api';
import { Fault, Field, Loading, Select, useAct, useFormAct } from './parts';
import { useMe } from './session';
import { useTexts } from './texts';

/** Browsers send what stands behind the # to nobody. */
const addressOf = (token: string) => `${location.origin}/staff/setup#${token}`;
const roles: StaffRole[] = ['seller', 'stock', 'money', 'manager', 'ops'];

export function PeoplePage() {
  const { t } = useTexts();
  const { data, error, refetch } = useQuery({ queryKey: ['people'], queryFn: () => call<StaffListed[]>('people') });
  const [shown, setShown] = useState<StaffInvitationShown | null>(null);
  return (
    <>
      <h1>{t('people.title')}</h1>
      <AddPerson onAdded={setShown} />
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading lines={4} />}
      {data && (
        <ul className="list">
          {data.map((person) => (
            <PersonRow key={person.name} person={person} onReset={setShown} />
          ))}
        </ul>
      )}
      {shown && <Invitation {...shown} onClose={() => setShown(null)} />}
    </>
  );
}

function AddPerson({ onAdded }: { onAdded(invitation: StaffInvitationShown): void }) {
  const { t } = useTexts();
  const [name, setName] = useState('');
  const [role, setRole] = useState<StaffRole>('seller');
  const { busy, fault, act } = useFormAct();
  const add = () =>
    act(async () => {
      onAdded(await post<StaffInvitationShown>('people', { name: name.trim(), role }));
      setName('');
      await invalidate(['people']);
    });
  return (
    <form
      className="card row"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Field label={t('people.name')} value={name} onValue={setName} maxLength={40} required autoComplete="off" />
      <RoleSelect value={role} onValue={setRole} />
      <Button type="submit" icon="plus" loading={busy}>
        {t('people.add')}
      </Button>
      {fault && <Fault>{fault}</Fault>}
    </form>
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
      await post('people/change', { name, ...body });
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
      const invitation = await post<StaffInvitationShown>('people/reset', { name });
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
