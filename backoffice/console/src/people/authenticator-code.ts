import { plainText } from '@shop/shared/domain/plain-text';

/** The six digits of an authenticator app, which may contain spaces. */
export const authenticatorCode = {
  name: 'code',
  label: 'signIn.code',
  hint: 'signIn.codeHint',
  autoComplete: 'one-time-code',
  inputMode: 'numeric',
  pattern: '\\s*(\\d\\s*){6}',
  required: true,
  filter: plainText,
} as const;

export const digitsOf = (code: string): string => code.replace(/\D/g, '');
