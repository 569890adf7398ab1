/** "138****0001", "+14****0100": the first three letters and up to the last four, so that at least four are hidden; of a short number none; '' stays ''. */
export function maskPhone(phone: string): string {
  const last = Math.min(4, phone.length - 7);
  if (!phone) return '';
  return last > 0 ? `${phone.slice(0, 3)}****${phone.slice(-last)}` : '****';
}

/** "an***@mail.example": up to the first two letters, so that at least one is hidden; '' stays ''. */
export const maskEmail = (email: string): string => email.replace(/^(.?.?).+(@.*)$/, '$1***$2');

/** Of what somebody signs in with, a phone or an e-mail address. */
export const maskIdentifier = (identifier: string): string =>
  identifier.includes('@') ? maskEmail(identifier) : maskPhone(identifier);

/** The same for a call that takes either, such as `send_code`. */
export const identifierBody = (identifier: string): { phone: string } | { email: string } =>
  identifier.includes('@') ? { email: identifier } : { phone: identifier };
