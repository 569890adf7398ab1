import { visibleText } from '@shop/shared/domain/plain-text';
import { CodeField, type CodeFieldProps, TextField, useFormikContext } from '@shop/shared/forms';
import { post } from '@shop/shared/http';
import type { ReactNode } from 'react';
import { numberToSend } from './phone/phone';
import { PhoneField } from './phone/phone-field';
import { useTexts } from './texts';

/** The sign-in identifier of a form. */
export type IdentifierKind = 'phone' | 'email';

/** The values of a form, for either identifier. */
export interface IdentifierValues {
  phone: string;
  /** ISO 3166, "CN". */
  country: string;
  email: string;
}

export interface ChosenIdentifier {
  kind: IdentifierKind;
  /** The input of the previous form. */
  typed: IdentifierValues;
  keep: (values: IdentifierValues) => void;
  /** Absent if the shop supports phones only; `isKnown` once the config says whether it sends mails. */
  other?: { isKnown: boolean; choose: () => void };
}

/** The validated identifier for the API. The server refuses an unreadable one. */
export async function identifierToSend(
  kind: IdentifierKind,
  { phone, country, email }: IdentifierValues,
): Promise<{ phone: string } | { email: string }> {
  return kind === 'email'
    ? { email: visibleText(email).trim() }
    : { phone: await numberToSend({ text: phone, country }) };
}

interface IdentifierFieldProps {
  identifier: ChosenIdentifier;
  /** Whether the browser saves it with a password. */
  isName: boolean;
}

/** A phone or, in English, an email address: the values `phone` and `country`, or `email`, of the form. */
export function IdentifierField({ identifier: { kind, other }, isName }: IdentifierFieldProps): ReactNode {
  const { t } = useTexts();
  return (
    <>
      {kind === 'phone' ? (
        <PhoneField autoComplete={isName ? 'username' : 'tel'} />
      ) : (
        <TextField
          name="email"
          label={t('login.email')}
          placeholder={t('login.emailPlaceholder')}
          type="email"
          inputMode="email"
          autoComplete={isName ? 'username' : 'email'}
          maxLength={254}
        />
      )}
      {other && (
        <button type="button" className="shell-account__forgot" disabled={!other.isKnown} onClick={other.choose}>
          {t(kind === 'phone' ? 'login.useEmail' : 'login.usePhone')}
        </button>
      )}
    </>
  );
}

interface IdentifierCodeFieldProps extends Pick<CodeFieldProps, 'hint' | 'submits'> {
  kind: IdentifierKind;
  scene: 'login' | 'register' | 'password';
}

/** The code that proves the phone or address of the form. */
export function IdentifierCodeField({ kind, scene, ...field }: IdentifierCodeFieldProps): ReactNode {
  const { t } = useTexts();
  const { values } = useFormikContext<IdentifierValues>();
  return (
    <CodeField
      {...field}
      name="verify"
      label={t('login.code')}
      placeholder={t('login.codePlaceholder')}
      phoneName={kind}
      purpose={scene === 'password' ? scene : 'login'}
      sendCode={async () =>
        post('/api/front/app/send_code', { ...(await identifierToSend(kind, values)), scene }, { quiet: true })
      }
    />
  );
}

interface FormSwitchProps {
  identifier: ChosenIdentifier;
  onSwitch: () => void;
  className?: string;
  children: ReactNode;
}

/** Switches to another form of the dialog, which keeps the input of this one. */
export function FormSwitch({ identifier, onSwitch, className, children }: FormSwitchProps): ReactNode {
  const { values } = useFormikContext<IdentifierValues>();
  const change = () => {
    const { phone, country, email } = values;
    identifier.keep({ phone, country, email });
    onSwitch();
  };
  return (
    <button type="button" className={className} onClick={change}>
      {children}
    </button>
  );
}
