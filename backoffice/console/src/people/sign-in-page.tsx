import type { StaffMe } from '@shop/backoffice/wire';
import { api } from '../api';
import { ActionForm } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { type Key, useTexts } from '../texts';
import { authenticatorCode, digitsOf } from './authenticator-code';

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

export function SignInPage({ onSignedIn }: { onSignedIn(me: StaffMe): void }) {
  const { t } = useTexts();
  return (
    <main className="stack sign-in">
      <ActionForm
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
    </main>
  );
}
