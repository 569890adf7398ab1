const MOST_LETTERS = 254;
/** RFC 5321 without quotes, comments and address literals: what mailboxes are called, in letters that look like no others. */
const local = /^(?!\.)(?!.*\.(?:\.|$))[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/;

/**
 * An e-mail address in the one form in which it is stored and compared: without spaces around it, in small letters. Undefined for anything
 * else: a display name, a list, another script (a domain of one is written as "xn--…"), and control characters, which could begin a header.
 */
export function emailOf(text: string): string | undefined {
  const trimmed = text.replace(/^ +| +$/g, '');
  // Before small letters are made: some letters of other scripts become Latin ones.
  if (trimmed.length > MOST_LETTERS || !/^[\x21-\x7e]+$/.test(trimmed)) return undefined;
  const email = trimmed.toLowerCase();
  const at = email.lastIndexOf('@');
  return local.test(email.slice(0, at)) && domain.test(email.slice(at + 1)) ? email : undefined;
}

/**
 * For limits: one key for the spellings that mostly reach one mailbox, which are those with a tag ("ann+shop@") or other dots. Two people
 * who share a key share the limits and nothing else. `account_erase` makes it too.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [name = ''] = email.slice(0, at).split('+');
  return `${name.replaceAll('.', '')}${email.slice(at)}`;
}
