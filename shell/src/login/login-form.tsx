import { Form, FormError, PasswordField, SubmitButton } from '@shop/shared/forms';
import { Tabs } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import { type Shell, useShell } from '../shell-context';
import { Agreements } from './agreements';
import {
  type ChosenIdentifier,
  FormSwitch,
  IdentifierCodeField,
  IdentifierField,
  type IdentifierKind,
  identifierToSend,
} from './identifier-field';
import { login } from './login.api';
import { codeLoginSchema, passwordLoginSchema } from './login.schema';
import { showRefusal } from './show-refusal';
import { useTexts } from './texts';

type Mode = 'password' | 'verify';

interface LoginFormProps {
  identifier: ChosenIdentifier;
  onDone: () => void;
  onForgotten: () => void;
}

export function LoginForm({ identifier, onDone, onForgotten }: LoginFormProps): ReactNode {
  const { t } = useTexts();
  const { session, overlays } = useShell();
  const { kind, typed } = identifier;
  const [mode, setMode] = useState<Mode>('verify');
  const [agreed, setAgreed] = useState(true);
  // A code registers a new user, so a buyer needs no second way to register.
  const offersRegister = !(overlays.isLoginToBuy && mode === 'verify');
  const modes = [
    { key: 'verify', label: t('login.byCode') },
    { key: 'password', label: t('login.byPassword') },
  ];

  return (
    <div className="shell-account">
      <p className="shell-account__intro ui-muted">{t(introOf(overlays, session.expired, mode, kind))}</p>
      <Tabs items={modes} value={mode} onChange={(key) => setMode(key as Mode)} label={t('login.mode')} />
      <Form
        ns="shell"
        initialValues={{ ...typed, password: '', verify: '' }}
        schema={(mode === 'password' ? passwordLoginSchema : codeLoginSchema)[kind]}
        onSubmit={async (values, helpers) => {
          try {
            const identifier = await identifierToSend(kind, values);
            const answer = await login(
              mode === 'password'
                ? { ...identifier, login_type: mode, password: values.password }
                : { ...identifier, login_type: mode, verify: values.verify.trim() },
            );
            await session.signIn(answer);
            onDone();
          } catch (error) {
            showRefusal(error, helpers, kind);
          }
        }}
      >
        <IdentifierField identifier={identifier} isName={mode === 'password'} />
        {mode === 'password' ? (
          <>
            <PasswordField
              name="password"
              label={t('login.password')}
              placeholder={t('login.passwordPlaceholder')}
              maxLength={64}
            />
            <FormSwitch identifier={identifier} className="shell-account__forgot" onSwitch={onForgotten}>
              {t('login.forgot')}
            </FormSwitch>
          </>
        ) : (
          <IdentifierCodeField kind={kind} scene="login" hint={t('login.codeHint')} submits={agreed} />
        )}
        <Agreements agreed={agreed} onChange={setAgreed} />
        <FormError />
        <SubmitButton disabled={!agreed}>{t('login.submit')}</SubmitButton>
        {offersRegister && (
          <p className="shell-account__switch">
            {t('login.noAccount')}{' '}
            <FormSwitch identifier={identifier} onSwitch={overlays.openRegister}>
              {t('register.title')}
            </FormSwitch>
          </p>
        )}
      </Form>
    </div>
  );
}

function introOf(
  { isLoginToBuy, addressAfterLogin }: Shell['overlays'],
  isExpired: boolean,
  mode: Mode,
  kind: IdentifierKind,
) {
  if (isLoginToBuy && mode === 'password') return 'login.introToBuyByPassword';
  if (isLoginToBuy) return kind === 'email' ? 'login.introToBuyByEmail' : 'login.introToBuy';
  if (isExpired) return 'login.introExpired';
  return addressAfterLogin ? 'login.introThen' : 'login.intro';
}
