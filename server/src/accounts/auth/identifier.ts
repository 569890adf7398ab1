import type { AppContext } from '../../context';
import { emailOf, mailboxOf } from '../../platform/emails/email';
import { fieldError } from '../../platform/http/errors';
import { fieldText } from '../../platform/http/field-messages';
import type { Locale } from '../../platform/http/schemas';
import { type CountryCode, phoneOf } from '../../platform/phones/phone';

/** What an account signs in with and gets its codes at. The address of the profile (`users.email`) is none: it is told things, and proves nothing. */
export type Identifier =
  | {
      kind: 'phone';
      /** As it is stored and compared. */
      value: string;
      country: CountryCode;
    }
  | {
      kind: 'email';
      value: string;
      /** See `mailboxOf`. */
      mailbox: string;
    };

/** In a body: one of both, in any spelling. */
interface IdentifierBody {
  phone?: string;
  email?: string;
}

/** Throws InvalidInput for neither, both, and what is no mobile number or no e-mail address. */
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
 * One that the shop sends codes to. Who has an account signs in to it with the password, also from a country that is no longer taken and
 * while no mail is sent.
 */
export function identifierFor({ config, providers }: AppContext, body: IdentifierBody, locale: Locale): Identifier {
  const identifier = readIdentifier(body, locale);
  if (identifier.kind === 'phone' && config.phoneCountries?.includes(identifier.country) === false)
    throw fieldError({ phone: fieldText('country', locale) });
  if (identifier.kind === 'email' && !providers.mail) throw fieldError({ email: fieldText('noMail', locale) });
  return identifier;
}

export const columnOf = ({ kind }: Identifier) => (kind === 'phone' ? 'phone' : 'sign_in_email');

/** Of the account. An e-mail address has an "@", a phone has none, so that one text says which it is. */
export const identifierOf = (account: { phone: string | null; sign_in_email: string | null }): string | null =>
  account.phone ?? account.sign_in_email;
