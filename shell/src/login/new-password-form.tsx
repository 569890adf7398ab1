import { ErrorCode } from '@shop/shared/domain';
import { Form, FormError, SubmitButton } from '@shop/shared/forms';
import { isApiError } from '@shop/shared/http';
import type { ReactNode } from 'react';
import { useShell } from '../shell-context';
import { login, setPassword } from './login.api';
import { newPasswordSchema } from './login.schema';
import { NewPasswordFields } from './new-password-fields';
import { numberToSend, type TypedPhone } from './phone/phone';
import { showRefusal } from './show-refusal';
import { messageKey, useTexts } from './texts';

export interface NewPasswordFormProps {
  draft: TypedPhone;
  onDone: () => void;
  onBack: () => void;
}

/** For who has forgotten the password: a code proves the phone. */
export function NewPasswordForm({ draft, onDone, onBack }: NewPasswordFormProps): ReactNode {
  const { t } = useTexts();
  const { session } = useShell();
  return (
    <div className="shell-account">
      <p className="shell-account__intro">{t('forgotten.intro')}</p>
      <Form
        ns="shell"
        initialValues={{ phone: draft.text, country: draft.country, verify: '', password: '' }}
        schema={newPasswordSchema}
        onSubmit={async ({ country, password, ...values }, helpers) => {
          try {
            const phone = await numberToSend({ text: values.phone, country });
            await setPassword({ phone, verify: values.verify.trim(), password });
            await session.signIn(await login({ phone, login_type: 'password', password }));
            onDone();
          } catch (error) {
            if (isApiError(error) && error.code === ErrorCode.WrongCredentials)
              helpers.setStatus({ serverErrors: { phone: messageKey('forgotten.unknown') } });
            else showRefusal(error, helpers);
          }
        }}
      >
        <NewPasswordFields draft={draft} scene="password" />
        <FormError />
        <SubmitButton>{t('forgotten.submit')}</SubmitButton>
      </Form>
      <p className="shell-account__switch">
        <button type="button" onClick={onBack}>
          {t('forgotten.back')}
        </button>
      </p>
    </div>
  );
}
