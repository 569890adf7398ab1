import type { StaffMe } from '@shop/server/wire';
import { Button } from '@shop/shared/ui';
import { useState } from 'react';
import { post } from './api';
import { AuthenticatorCodeField } from './authenticator-code-field';
import { Fault, Field, faultText } from './parts';
import { useTexts } from './texts';

export function SignInPage({ onSignedIn }: { onSignedIn(me: StaffMe): void }) {
  const { t } = useTexts();
  const [values, setValues] = useState({ name: '', password: '', code: '' });
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const set = (key: keyof typeof values) => (value: string) => setValues((before) => ({ ...before, [key]: value }));
  const submit = async () => {
    setBusy(true);
    setFault('');
    try {
      onSignedIn(await post<StaffMe>('session', { ...values, code: values.code.replace(/\D/g, '') }));
    } catch (error) {
      setFault(faultText(error));
      setValues((before) => ({ ...before, code: '' }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <h1>{t('signIn.title')}</h1>
        <Field
          label={t('signIn.name')}
          value={values.name}
          onValue={set('name')}
          autoComplete="username"
          maxLength={100}
          required
        />
        <Field
          label={t('signIn.password')}
          type="password"
          value={values.password}
          onValue={set('password')}
          autoComplete="current-password"
          maxLength={200}
          required
        />
        <AuthenticatorCodeField value={values.code} onValue={set('code')} />
        {fault && <Fault>{fault}</Fault>}
        <Button type="submit" block loading={busy}>
          {t('signIn.submit')}
        </Button>
      </form>
    </main>
  );
}
