import { CodeField, PasswordField } from '@shop/shared/forms';
import type { ReactNode } from 'react';
import { sendCode } from './login.api';
import { numberToSend, type TypedPhone } from './phone/phone';
import { PhoneField } from './phone/phone-field';
import { useTexts } from './texts';

export interface NewPasswordFieldsProps {
  draft: TypedPhone;
  /** What the code is asked for. */
  scene: 'register' | 'password';
}

/** A phone, the code that proves it, and the password that it gets. */
export function NewPasswordFields({ draft, scene }: NewPasswordFieldsProps): ReactNode {
  const { t } = useTexts();
  const isNew = scene === 'register';
  return (
    <>
      <PhoneField autoComplete="username" draft={draft} />
      <CodeField
        name="verify"
        label={t('login.code')}
        placeholder={t('login.codePlaceholder')}
        phoneName="phone"
        purpose={isNew ? 'login' : 'password'}
        sendCode={async (text) => sendCode({ phone: await numberToSend({ text, country: draft.country }), scene })}
      />
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
