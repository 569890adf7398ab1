import type { AppContext } from '../../context';
import { emailOf, mailboxOf } from '../../platform/emails/email';
import { fieldError } from '../../platform/http/errors';
import { fieldText } from '../../platform/http/field-messages';
import type { Locale } from '../../platform/http/schemas';
import { type CountryCode, phoneOf } from '../../platform/phones/phone';

/**
 * Identifies an account at sign-in and receives its codes. The address of the profile (`users.email`) is not one: it receives
 * notices and proves nothing.
 */
export type Identifier =
  | {
      kind: 'phone';
      value: string;
      country: CountryCode;
    }
  | {
      kind: 'email';
      value: string;
      mailbox: string;
    };

interface IdentifierBody {
  phone?: string;
  email?: string;
}

/** Throws InvalidInput for neither or both, and for an invalid mobile number or email address. */
export function readIdentifier({ phone, email }: IdentifierBody, locale: Locale): Identifier {
  if (email === undefined) {
    if (phone === undefined) throw fieldError({ phone: fieldText('required', locale) });
    const read = phoneOf(phone);
    if (!read) throw fieldError({ phone: fieldText('phone', locale) });
    return { kind: 'phone', value: read.number, country: read.country };
  }
  if (phone !== undefined) throw fieldError({ email: fieldText('oneIdentifier', locale) });
  const value = emailOf(email);
  if (!value) throw fieldError({ email: fieldText('email', locale) });
  return { kind: 'email', value, mailbox: mailboxOf(value) };
}

/**
 * An identifier that the shop can send codes to. Existing accounts can still sign in with their password, also from a country
 * that is no longer accepted and while no mail is sent.
 */
export function identifierFor({ config, providers }: AppContext, body: IdentifierBody, locale: Locale): Identifier {
  const identifier = readIdentifier(body, locale);
  if (identifier.kind === 'phone' && config.phoneCountries?.includes(identifier.country) === false)
    throw fieldError({ phone: fieldText('country', locale) });
  if (identifier.kind === 'email' && !providers.mail) throw fieldError({ email: fieldText('noMail', locale) });
  return identifier;
}

export const columnOf = ({ kind }: Identifier) => (kind === 'phone' ? 'phone' : 'sign_in_email');

/** The account's identifier. An email address contains "@" and a phone does not, so one text is unambiguous. */
export const identifierOf = (account: { phone: string | null; sign_in_email: string | null }): string | null =>
  account.phone ?? account.sign_in_email;
