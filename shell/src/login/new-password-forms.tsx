import { ErrorCode } from '@shop/shared/domain';
import { visibleText } from '@shop/shared/domain/plain-text';
import { Form, FormError, PasswordField, SubmitButton } from '@shop/shared/forms';
import { isApiError } from '@shop/shared/http';
import { type ReactNode, useState } from 'react';
import { useShell } from '../shell-context';
import { Agreements } from './agreements';
import {
  type ChosenIdentifier,
  FormSwitch,
  IdentifierCodeField,
  IdentifierField,
  identifierToSend,
} from './identifier-field';
import { login, register, setPassword } from './login.api';
import { newPasswordSchema, registerSchema } from './login.schema';
import { showRefusal } from './show-refusal';
import { messageKey, useTexts } from './texts';

interface NewPasswordFieldsProps {
  identifier: ChosenIdentifier;
  scene: 'register' | 'password';
}

/** The identifier, the code that proves it, and the new password. */
function NewPasswordFields({ identifier, scene }: NewPasswordFieldsProps): ReactNode {
  const { t } = useTexts();
  const isNew = scene === 'register';
  return (
    <>
      <IdentifierField identifier={identifier} isName />
      <IdentifierCodeField kind={identifier.kind} scene={scene} />
      <PasswordField
        name="password"
        label={t(isNew ? 'login.password' : 'forgotten.password')}
        placeholder={t(isNew ? 'login.passwordPlaceholder' : 'forgotten.passwordPlaceholder')}
        autoComplete="new-password"
        hint={t('register.passwordHint')}
      />
    </>
  );
}

export function RegisterForm({ identifier, onDone }: { identifier: ChosenIdentifier; onDone: () => void }): ReactNode {
  const { t } = useTexts();
  const { session, overlays } = useShell();
  const [agreed, setAgreed] = useState(true);
  const { kind, typed } = identifier;
  const inviteCode = visibleText(new URLSearchParams(window.location.search).get('invite_code') ?? '');

  return (
    <div className="shell-account">
      <p className="shell-account__intro ui-muted">
        {t(overlays.isLoginToBuy ? 'register.introToBuy' : 'register.intro')}
      </p>
      <Form
        ns="shell"
        initialValues={{ ...typed, verify: '', password: '', inviteCode }}
        schema={registerSchema[kind]}
        onSubmit={async (values, helpers) => {
          try {
            const answer = await register({
              ...(await identifierToSend(kind, values)),
              verify: values.verify.trim(),
              password: values.password,
              ...(values.inviteCode ? { invite_code: values.inviteCode } : {}),
            });
            await session.signIn(answer);
            onDone();
          } catch (error) {
            showRefusal(error, helpers, kind);
          }
        }}
      >
        <NewPasswordFields identifier={identifier} scene="register" />
        <Agreements agreed={agreed} onChange={setAgreed} />
        <FormError />
        <SubmitButton disabled={!agreed}>{t('register.title')}</SubmitButton>
        <p className="shell-account__switch">
          {t('register.hasAccount')}{' '}
          <FormSwitch identifier={identifier} onSwitch={overlays.backToLogin}>
            {t('login.submit')}
          </FormSwitch>
        </p>
      </Form>
    </div>
  );
}

interface NewPasswordFormProps {
  identifier: ChosenIdentifier;
  onDone: () => void;
  onBack: () => void;
}

/** Sets a forgotten password: a code proves the phone or address. */
export function NewPasswordForm({ identifier, onDone, onBack }: NewPasswordFormProps): ReactNode {
  const { t } = useTexts();
  const { session } = useShell();
  const { kind, typed } = identifier;
  return (
    <div className="shell-account">
      <p className="shell-account__intro ui-muted">{t('forgotten.intro')}</p>
      <Form
        ns="shell"
        initialValues={{ ...typed, verify: '', password: '' }}
        schema={newPasswordSchema[kind]}
        onSubmit={async ({ password, ...values }, helpers) => {
          try {
            const identifier = await identifierToSend(kind, values);
            await setPassword({ ...identifier, verify: values.verify.trim(), password });
            await session.signIn(await login({ ...identifier, login_type: 'password', password }));
            onDone();
          } catch (error) {
            if (isApiError(error) && error.code === ErrorCode.WrongCredentials)
              helpers.setStatus({
                serverErrors: { [kind]: messageKey(kind === 'email' ? 'forgotten.unknownEmail' : 'forgotten.unknown') },
              });
            else showRefusal(error, helpers, kind);
          }
        }}
      >
        <NewPasswordFields identifier={identifier} scene="password" />
        <FormError />
        <SubmitButton>{t('forgotten.submit')}</SubmitButton>
        <p className="shell-account__switch">
          <FormSwitch identifier={identifier} onSwitch={onBack}>
            {t('forgotten.back')}
          </FormSwitch>
        </p>
      </Form>
    </div>
  );
}
