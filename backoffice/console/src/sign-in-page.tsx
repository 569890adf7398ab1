import type { SignInWays, StaffMe } from '@shop/backoffice/wire';
import { useEffect, useState } from 'react';
import { api, call, post } from './api';
import { authenticatorCode, digitsOf } from './authenticator-code';
import { ActForm } from './forms/act-form';
import type { FieldSpec } from './forms/fields';
import { type Key, useTexts } from './texts';

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
    <main className="stack sign-in">
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

const withPassword = { name: '', password: '', code: '' };
const passwordFields: FieldSpec<typeof withPassword, Key>[] = [
  { name: 'name', label: 'signIn.name', autoComplete: 'username', maxLength: 100, required: true },
  {
    kind: 'password',
    name: 'password',
    label: 'signIn.password',
    autoComplete: 'current-password',
    maxLength: 200,
    required: true,
  },
  authenticatorCode,
];

function PasswordForm({ onSignedIn }: SignInProps) {
  const { t } = useTexts();
  return (
    <ActForm
      title={<h1>{t('signIn.title')}</h1>}
      layout="stack"
      fields={passwordFields}
      t={t}
      start={withPassword}
      onceRefused={{ code: '' }}
      submit={t('signIn.submit')}
      block
      onSubmit={async ({ code, ...rest }) => onSignedIn(await api('POST session', { ...rest, code: digitsOf(code) }))}
    />
  );
}

const withToken = { name: '', token: '' };
const tokenFields: FieldSpec<typeof withToken, Key>[] = [
  { name: 'name', label: 'signIn.nameForHistory', autoComplete: 'nickname', maxLength: 40, required: true },
  { kind: 'password', name: 'token', label: 'signIn.token', hint: 'signIn.tokenHint', maxLength: 200, required: true },
];

/** For releases only, when nobody can sign in otherwise. */
function TokenForm({ onSignedIn }: SignInProps) {
  const { t } = useTexts();
  return (
    <ActForm
      layout="stack"
      fields={tokenFields}
      t={t}
      start={withToken}
      submit={t('signIn.submit')}
      block
      onSubmit={async ({ name, token }) =>
        onSignedIn(await post<StaffMe>('session/token', { name: name.trim(), token }))
      }
    />
  );
}
