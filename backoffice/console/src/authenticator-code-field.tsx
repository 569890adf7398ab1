import { Field } from './parts';
import { useTexts } from './texts';

/** The six digits that an authenticator app shows, which may be typed with spaces. */
export function AuthenticatorCodeField({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  const { t } = useTexts();
  return (
    <Field
      label={t('signIn.code')}
      hint={t('signIn.codeHint')}
      value={value}
      onValue={onValue}
      autoComplete="one-time-code"
      inputMode="numeric"
      pattern="\s*(\d\s*){6}"
      required
    />
  );
}
