/** The six digits that an authenticator app shows, which may be typed with spaces. */
export const authenticatorCode = {
  name: 'code',
  label: 'signIn.code',
  hint: 'signIn.codeHint',
  autoComplete: 'one-time-code',
  inputMode: 'numeric',
  pattern: '\\s*(\\d\\s*){6}',
  required: true,
} as const;

export const digitsOf = (code: string): string => code.replace(/\D/g, '');
