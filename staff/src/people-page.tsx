import type { StaffCredentialsShown, StaffListed, StaffRole } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { invalidate, useQuery } from '@shop/shared/query';
import { Button, confirm, Dialog, ErrorState, Tag, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { call, post } from './api';
import { Fault, Field, Loading, Select, useAct, useFormAct } from './parts';
import { useTexts } from './texts';

const roles: StaffRole[] = ['seller', 'stock', 'money', 'manager'];

export function PeoplePage() {
  const { t } = useTexts();
  const { data, error, refetch } = useQuery({ queryKey: ['people'], queryFn: () => call<StaffListed[]>('people') });
  const [shown, setShown] = useState<StaffCredentialsShown | null>(null);
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
      {shown && <Credentials {...shown} onClose={() => setShown(null)} />}
    </>
  );
}

function AddPerson({ onAdded }: { onAdded(credentials: StaffCredentialsShown): void }) {
  const { t } = useTexts();
  const [name, setName] = useState('');
  const [role, setRole] = useState<StaffRole>('seller');
  const { busy, fault, act } = useFormAct();
  const add = () =>
    act(async () => {
      onAdded(await post<StaffCredentialsShown>('people', { name: name.trim(), role }));
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

function PersonRow({ person, onReset }: { person: StaffListed; onReset(credentials: StaffCredentialsShown): void }) {
  const { t } = useTexts();
  const { busy, act } = useAct();
  const { name, role, disabled_at } = person;
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
    if (await confirm({ title: t('people.resetAsk', { name }), content: t('people.resetText'), danger: true }))
      await act(async () => onReset(await post<StaffCredentialsShown>('people/reset', { name })));
  };
  return (
    <li className="card row">
      <p className="grow">
        <strong>{name}</strong> {disabled_at && <Tag tone="warning">{t('people.disabled')}</Tag>}
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

function Credentials({ name, password, address, qr, onClose }: StaffCredentialsShown & { onClose(): void }) {
  const { t } = useTexts();
  const dark = [...qr.fields].flatMap((field, index) =>
    field === '1' ? `M${index % qr.size} ${Math.floor(index / qr.size)}h1v1h-1z` : [],
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('people.shown', { name })}
      actions={
        <Button data-autofocus onClick={onClose}>
          {t('keys.close')}
        </Button>
      }
    >
      <p>{t('people.once')}</p>
      <svg className="qr" viewBox={`-4 -4 ${qr.size + 8} ${qr.size + 8}`} role="img" aria-label={t('people.qr')}>
        <path d={dark.join('')} />
      </svg>
      <dl className="facts">
        <dt>{t('people.secret')}</dt>
        <dd>
          <code>{new URL(address).searchParams.get('secret')}</code>
        </dd>
        <dt>{t('signIn.password')}</dt>
        <dd>
          <code>{password}</code>
        </dd>
      </dl>
    </Dialog>
  );
}
