import type { StaffMe } from '@shop/backoffice/wire';
import { plainText } from '@shop/shared/domain/plain-text';
import { useEffect, useState } from 'react';
import { api, whenCodeNeeded } from '../api';
import { hasDrafts } from '../drafts';
import { ActionButton, ActionForm, FormDialog } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { useMe } from '../session';
import { type Key, useTexts } from '../texts';

/** The six digits of an authenticator app, which may contain spaces. */
export const authenticatorCode = {
  name: 'code',
  label: 'signIn.code',
  hint: 'signIn.codeHint',
  autoComplete: 'one-time-code',
  inputMode: 'numeric',
  pattern: '\\s*(\\d\\s*){6}',
  required: true,
  filter: plainText,
} as const;

const currentPassword = {
  kind: 'password',
  autoComplete: 'current-password',
  maxLength: 200,
  required: true,
} as const;
export const newPassword = {
  kind: 'password',
  autoComplete: 'new-password',
  minLength: 12,
  maxLength: 64,
  required: true,
} as const;

export const digitsOf = (code: string): string => code.replace(/\D/g, '');

const withPassword = { name: '', password: '', code: '' };
const passwordFields: FieldSpec<typeof withPassword, Key>[] = [
  { name: 'name', label: 'signIn.name', autoComplete: 'username', maxLength: 100, required: true },
  { name: 'password', label: 'signIn.password', ...currentPassword },
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

/** Asks for a code of the authenticator app when a call needs a fresh one. The call is repeated afterwards. */
export function FreshCodeDialog() {
  const { t } = useTexts();
  const [answer, setAnswer] = useState<((isProved: boolean) => void) | null>(null);
  useEffect(() => whenCodeNeeded(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  if (!answer) return null;
  const close = (isProved: boolean) => {
    setAnswer(null);
    answer(isProved);
  };
  return (
    <FormDialog
      title={t('freshCode.title')}
      fields={[authenticatorCode]}
      t={t}
      start={{ code: '' }}
      onceRefused={{ code: '' }}
      submit={t('freshCode.submit')}
      onClose={() => close(false)}
      onSubmit={async ({ code }) => {
        await api('POST session/code', { code: digitsOf(code) });
        close(true);
      }}
    >
      <p className="hint">{t('freshCode.text')}</p>
    </FormDialog>
  );
}

const changeFields: FieldSpec<{ current: string; password: string }, Key>[] = [
  { name: 'current', label: 'password.current', ...currentPassword },
  { name: 'password', label: 'password.next', hint: 'password.hint', ...newPassword },
];

export function AccountPage({ onSignOut }: { onSignOut(): void }) {
  const { t } = useTexts();
  const me = useMe();
  const question = { title: t('signOutAsk'), confirmText: t('signOut'), danger: true };
  return (
    <>
      <h1>{t('nav.account')}</h1>
      <section className="card row">
        <p>
          <strong>{me.name}</strong> · {t(`role.${me.role}`)}
        </p>
        <ActionButton icon="logout" question={hasDrafts() ? question : undefined} action={async () => onSignOut()}>
          {t('signOut')}
        </ActionButton>
      </section>
      <ActionForm
        className="card narrow"
        title={t('password.title')}
        layout="list"
        fields={changeFields}
        t={t}
        start={{ current: '', password: '' }}
        submit={t('password.title')}
        done={t('password.done')}
        onSubmit={(values) => api('POST password', values)}
      />
    </>
  );
}
