import { maskEmail } from '@shop/shared/domain/mask-phone';
import { emailOf, mailboxOf } from './email';

describe('email address', () => {
  it.each([
    ['ann@mail.example', 'ann@mail.example'],
    ['  Ann.Smith@Mail.Example ', 'ann.smith@mail.example'],
    ["o'neil@mail.example", "o'neil@mail.example"],
    ['ann@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
    [`${'a'.repeat(64)}@mail.example`, `${'a'.repeat(64)}@mail.example`],
  ])('the email address %j is normalized to %j', (text, email) => expect(emailOf(text)).toBe(email));

  it.each([
    '',
    'ann',
    '@mail.example',
    'ann@mail',
    'ann@mail..example',
    '.ann@mail.example',
    'an..n@mail.example',
    'ann@-mail.example',
    'ann@[127.0.0.1]',
    'ann bell@mail.example',
    '"ann bell"@mail.example',
    'ann@mail.example,eve@mail.example',
    'ann@eve@mail.example',
    'ann@mail.example\r\nBcc: eve@mail.example',
    'ann\0@mail.example',
    'аnn@mail.example',
    '\u212Aate@mail.example',
    'ann＠mail.example',
    'ann@bücher.example',
    `${'a'.repeat(65)}@mail.example`,
    `ann@${'mail.'.repeat(60)}example`,
  ])('%j is not an email address', (text) => expect(emailOf(text)).toBeUndefined());

  it('parsing a long malicious email address takes no longer', () => {
    const started = performance.now();
    for (const text of [
      `${'a.'.repeat(50_000)}@`,
      `a@${'a-'.repeat(120)}!`,
      `a@${'a.'.repeat(120)}1`,
      ' '.repeat(100_000),
    ])
      expect(emailOf(text)).toBeUndefined();
    // A few milliseconds are enough; a regular expression with exponential backtracking would need years.
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it('one rate limit covers all tags and dots of an email address, and none of another mailbox', () => {
    for (const spelling of ['ann@mail.example', 'ann+1@mail.example', 'a.n.n@mail.example', 'a.nn+x.y+z@mail.example'])
      expect(mailboxOf(spelling)).toBe('ann@mail.example');
    expect(mailboxOf('anna@mail.example')).not.toBe('ann@mail.example');
    expect(mailboxOf('ann@mail2.example')).not.toBe('ann@mail.example');
  });

  it('a masked email address shows two characters of its name, and hides at least one', () => {
    expect(['fang@mail.example', 'an@mail.example', 'a@mail.example', 'a@b@mail.example', ''].map(maskEmail)).toEqual([
      'fa***@mail.example',
      'a***@mail.example',
      '***@mail.example',
      'a@***@mail.example',
      '',
    ]);
  });
});
