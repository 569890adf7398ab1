import type { SignInWays, StaffMe } from '@shop/server/wire';
import { Button } from '@shop/shared/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { call, post } from './api';
import { AuthenticatorCodeField } from './authenticator-code-field';
import { Fault, Field, useFormAct } from './parts';
import { useTexts } from './texts';

interface SignInProps {
  onSignedIn(me: StaffMe): void;
}

export function SignInPage({ onSignedIn }: SignInProps) {
  const { t } = useTexts();
  const [ways, setWays] = useState<SignInWays>();
  useEffect(() => {
    // While nobody knows, there is the form for the password.
    call<SignInWays>('sign-in').then(setWays, () => {});
  }, []);
  const page = location.pathname === '/ops' ? 'ops' : 'staff';
  return (
    <main className="sign-in">
      <PasswordForm onSignedIn={onSignedIn} />
      {ways?.provider && (
        <a className="ui-button ui-button--secondary ui-button--m" href={`/staff/login?page=${page}`}>
          {t('signIn.provider', { name: ways.provider })}
        </a>
      )}
      {ways?.token && (
        <details>
          <summary>{t('signIn.withToken')}</summary>
          <TokenForm onSignedIn={onSignedIn} />
        </details>
      )}
    </main>
  );
}

function PasswordForm({ onSignedIn }: SignInProps) {
  const { t } = useTexts();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const signIn = async () => {
    try {
      onSignedIn(await post<StaffMe>('session', { name, password, code: code.replace(/\D/g, '') }));
    } catch (error) {
      setCode('');
      throw error;
    }
  };
  return (
    <SignInForm title={t('signIn.title')} signIn={signIn}>
      <Field label={t('signIn.name')} value={name} onValue={setName} autoComplete="username" maxLength={100} required />
      <Field
        label={t('signIn.password')}
        type="password"
        value={password}
        onValue={setPassword}
        autoComplete="current-password"
        maxLength={200}
        required
      />
      <AuthenticatorCodeField value={code} onValue={setCode} />
    </SignInForm>
  );
}

/** For releases only, when nobody can sign in otherwise. */
function TokenForm({ onSignedIn }: SignInProps) {
  const { t } = useTexts();
  const [name, setName] = useState('');
  const [token, setToken] = useState('');
  const signIn = async () => onSignedIn(await post<StaffMe>('session/token', { name: name.trim(), token }));
  return (
    <SignInForm signIn={signIn}>
      <Field
        label={t('signIn.nameForHistory')}
        value={name}
        onValue={setName}
        autoComplete="nickname"
        maxLength={40}
        required
      />
      <Field
        label={t('signIn.token')}
        hint={t('signIn.tokenHint')}
        type="password"
        value={token}
        onValue={setToken}
        autoComplete="off"
        maxLength={200}
        required
      />
    </SignInForm>
  );
}

function SignInForm(props: { title?: string; signIn(): Promise<void>; children: ReactNode }) {
  const { title, signIn, children } = props;
  const { t } = useTexts();
  const { busy, fault, act } = useFormAct();
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        void act(signIn);
      }}
    >
      {title && <h1>{title}</h1>}
      {children}
      {fault && <Fault>{fault}</Fault>}
      <Button type="submit" block loading={busy}>
        {t('signIn.submit')}
      </Button>
    </form>
  );
}
