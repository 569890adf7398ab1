import { visibleText } from '@shop/shared/domain/plain-text';
import { numberToSend } from './phone/phone';

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
