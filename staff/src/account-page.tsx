import { Button, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { post } from './api';
import { Fault, Field, useFormAct } from './parts';
import { useMe } from './session';
import { useTexts } from './texts';

export function AccountPage({ onSignOut }: { onSignOut(): void }) {
  const { t } = useTexts();
  const me = useMe();
  return (
    <>
      <h1>{t('nav.account')}</h1>
      <section className="card row">
        <p>
          <strong>{me.name}</strong> · {t(`role.${me.role}`)}
        </p>
        <Button kind="secondary" icon="logout" onClick={onSignOut}>
          {t('signOut')}
        </Button>
      </section>
      {me.way === 'password' && <PasswordForm />}
    </>
  );
}

function PasswordForm() {
  const { t } = useTexts();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const { busy, fault, act } = useFormAct();
  const change = () =>
    act(async () => {
      await post('password', { current, password });
      setCurrent('');
      setPassword('');
      toast.success(t('password.done'));
    });
  return (
    <form
      className="card narrow"
      onSubmit={(event) => {
        event.preventDefault();
        void change();
      }}
    >
      <h2>{t('password.title')}</h2>
      <Field
        label={t('password.current')}
        type="password"
        autoComplete="current-password"
        value={current}
        onValue={setCurrent}
        maxLength={200}
        required
      />
      <Field
        label={t('password.next')}
        hint={t('password.hint')}
        type="password"
        autoComplete="new-password"
        value={password}
        onValue={setPassword}
        minLength={12}
        maxLength={64}
        required
      />
      {fault && <Fault>{fault}</Fault>}
      <Button type="submit" loading={busy}>
        {t('password.submit')}
      </Button>
    </form>
  );
}
