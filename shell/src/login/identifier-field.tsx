import { TextField, useFormikContext } from '@shop/shared/forms';
import { type ReactNode, useEffect } from 'react';
import type { ChosenIdentifier, IdentifierValues } from './identifier';
import { PhoneField } from './phone/phone-field';
import { useTexts } from './texts';

export interface IdentifierFieldProps extends ChosenIdentifier {
  /** Whether the browser has it with a password. */
  isName: boolean;
}

/** A phone or, in English, an email address: the values `phone` and `country`, or `email`, of the form. */
export function IdentifierField({ kind, draft, other, isName }: IdentifierFieldProps): ReactNode {
  const { t } = useTexts();
  return (
    <>
      {kind === 'phone' ? (
        <PhoneField autoComplete={isName ? 'username' : 'tel'} draft={draft} />
      ) : (
        <EmailField autoComplete={isName ? 'username' : 'email'} draft={draft} />
      )}
      {other && (
        <button type="button" className="shell-account__forgot" disabled={!other.isKnown} onClick={other.choose}>
          {t(kind === 'phone' ? 'login.useEmail' : 'login.usePhone')}
        </button>
      )}
    </>
  );
}

function EmailField({ autoComplete, draft }: Pick<ChosenIdentifier, 'draft'> & { autoComplete: string }): ReactNode {
  const { t } = useTexts();
  const { email } = useFormikContext<IdentifierValues>().values;
  useEffect(() => {
    draft.email = email;
  }, [draft, email]);
  return (
    <TextField
      name="email"
      label={t('login.email')}
      placeholder={t('login.emailPlaceholder')}
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      maxLength={254}
    />
  );
}
