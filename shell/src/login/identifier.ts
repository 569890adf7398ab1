import { numberToSend } from './phone/phone';

/** What somebody signs in with, here. */
export type IdentifierKind = 'phone' | 'email';

/** The values of a form, whichever of both it shows. */
export interface IdentifierValues {
  phone: string;
  /** ISO 3166, "CN". */
  country: string;
  email: string;
}

/** What each form of the dialog needs to know of it. */
export interface ChosenIdentifier {
  kind: IdentifierKind;
  /** What was typed in the form before this one. */
  typed: IdentifierValues;
  keep: (values: IdentifierValues) => void;
  /** Absent where the shop knows phones only; `isKnown` once the shop has said whether it sends mails. */
  other?: { isKnown: boolean; choose: () => void };
}

/** For the API: of what the form has checked. What cannot be read here is the server's to refuse. */
export async function identifierToSend(
  kind: IdentifierKind,
  { phone, country, email }: IdentifierValues,
): Promise<{ phone: string } | { email: string }> {
  return kind === 'email' ? { email: email.trim() } : { phone: await numberToSend({ text: phone, country }) };
}
