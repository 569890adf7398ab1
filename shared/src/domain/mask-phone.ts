/**
 * "138****0001", "+14****0100": keeps the first three characters and up to the last four, so that at least four are hidden; hides
 * a short number completely; '' stays ''.
 */
export function maskPhone(phone: string): string {
  const last = Math.min(4, phone.length - 7);
  if (!phone) return '';
  return last > 0 ? `${phone.slice(0, 3)}****${phone.slice(-last)}` : '****';
}

/** "an***@mail.example": keeps up to the first two characters, so that at least one is hidden; '' stays ''. */
export const maskEmail = (email: string): string => email.replace(/^(.?.?).+(@.*)$/, '$1***$2');

export const maskIdentifier = (identifier: string): string =>
  identifier.includes('@') ? maskEmail(identifier) : maskPhone(identifier);

/** The body of a call that takes either, such as `send_code`. */
export const identifierBody = (identifier: string): { phone: string } | { email: string } =>
  identifier.includes('@') ? { email: identifier } : { phone: identifier };
