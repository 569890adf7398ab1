import { visibleText } from '@shop/shared/domain/plain-text';

const MOST_LETTERS = 254;
/** RFC 5321 without quotes, comments and address literals: ordinary mailbox names, without look-alike characters. */
const local = /^(?!\.)(?!.*\.(?:\.|$))[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/;

/**
 * The normalized form in which an email address is stored and compared: visible characters, trimmed and in lower case. Undefined for anything else: a
 * display name, a list, another script (an international domain is written as "xn--…"), and control characters, which could begin
 * a header.
 */
export function emailOf(text: string): string | undefined {
  const trimmed = visibleText(text).replace(/^ +| +$/g, '');
  // This check precedes toLowerCase, which converts some characters of other scripts to Latin ones.
  if (trimmed.length > MOST_LETTERS || !/^[\x21-\x7e]+$/.test(trimmed)) return undefined;
  const email = trimmed.toLowerCase();
  const at = email.lastIndexOf('@');
  return local.test(email.slice(0, at)) && domain.test(email.slice(at + 1)) ? email : undefined;
}

/**
 * The key of an address for rate limits: the same for spellings that usually reach one mailbox, with a tag ("ann+shop@") or other
 * dots. Two users with the same key share only their limits. `account_erase` computes it too.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [name = ''] = email.slice(0, at).split('+');
  return `${name.replaceAll('.', '')}${email.slice(at)}`;
}
