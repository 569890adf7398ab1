import { numberToSend, type TypedPhone } from './phone/phone';

/** What somebody signs in with, here. */
export type IdentifierKind = 'phone' | 'email';

/** What the fields of the dialog hold, whichever of both is shown. */
export interface TypedIdentifier extends TypedPhone {
  email: string;
}

/** What each form of the dialog needs to know of it. */
export interface ChosenIdentifier {
  kind: IdentifierKind;
  /** Outlives the form, so that another one begins with what was typed here. */
  draft: TypedIdentifier;
  /** Absent where the shop knows phones only; `isKnown` once the shop has said whether it sends mails. */
  other?: { isKnown: boolean; choose: () => void };
}

/** The values of a form. */
export interface IdentifierValues {
  phone: string;
  country: string;
  email: string;
}

export const valuesOf = ({ text, country, email }: TypedIdentifier): IdentifierValues => ({
  phone: text,
  country,
  email,
});

/** For the API: of what the form has checked. What cannot be read here is the server's to refuse. */
export async function identifierToSend(
  kind: IdentifierKind,
  { phone, country, email }: IdentifierValues,
): Promise<{ phone: string } | { email: string }> {
  return kind === 'email' ? { email: email.trim() } : { phone: await numberToSend({ text: phone, country }) };
}
