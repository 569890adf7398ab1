import { CodeField, PasswordField } from '@shop/shared/forms';
import type { ReactNode } from 'react';
import { type ChosenIdentifier, identifierToSend, valuesOf } from './identifier';
import { IdentifierField } from './identifier-field';
import { sendCode } from './login.api';
import { useTexts } from './texts';

export interface NewPasswordFieldsProps {
  identifier: ChosenIdentifier;
  /** What the code is asked for. */
  scene: 'register' | 'password';
}

/** A phone or an email address, the code that proves it, and the password that it gets. */
export function NewPasswordFields({ identifier, scene }: NewPasswordFieldsProps): ReactNode {
  const { t } = useTexts();
  const { kind, draft } = identifier;
  const isNew = scene === 'register';
  return (
    <>
      <IdentifierField {...identifier} isName />
      <CodeField
        name="verify"
        label={t('login.code')}
        placeholder={t('login.codePlaceholder')}
        phoneName={kind}
        purpose={isNew ? 'login' : 'password'}
        sendCode={async () => sendCode({ ...(await identifierToSend(kind, valuesOf(draft))), scene })}
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
