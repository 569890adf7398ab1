import { ErrorCode } from '@shop/shared/domain';
import { Form, FormError, SubmitButton } from '@shop/shared/forms';
import { isApiError } from '@shop/shared/http';
import type { ReactNode } from 'react';
import { useShell } from '../shell-context';
import { type ChosenIdentifier, FormSwitch, identifierToSend, NewPasswordFields } from './identifier-field';
import { login, setPassword } from './login.api';
import { newPasswordSchema } from './login.schema';
import { showRefusal } from './show-refusal';
import { messageKey, useTexts } from './texts';

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
