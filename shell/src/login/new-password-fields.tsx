import { PasswordField } from '@shop/shared/forms';
import type { ReactNode } from 'react';
import type { ChosenIdentifier } from './identifier';
import { IdentifierCodeField, IdentifierField } from './identifier-field';
import { useTexts } from './texts';

interface NewPasswordFieldsProps {
  identifier: ChosenIdentifier;
  scene: 'register' | 'password';
}

/** The identifier, the code that proves it, and the new password. */
export function NewPasswordFields({ identifier, scene }: NewPasswordFieldsProps): ReactNode {
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
