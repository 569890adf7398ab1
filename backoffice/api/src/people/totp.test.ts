import { base32, stepOfCode, totpAddress, totpCode, totpStep } from './totp';

/** RFC 6238, appendix B. */
const secret = Buffer.from('12345678901234567890').toString('base64');

it.each([
  [59, '94287082'],
  [1111111111, '14050471'],
  [20000000000, '65353130'],
])('the code at %i s is that of RFC 6238', (seconds, code) => {
  expect(totpCode(secret, totpStep(seconds * 1000), 8)).toBe(code);
});

it('a code is accepted one time step before and after its own, and no longer', () => {
  const now = 1_234_567_890_000;
  const step = totpStep(now);
  const code = totpCode(secret, step);
  expect([-60, -30, 0, 30, 60].map((seconds) => stepOfCode(secret, code, now + seconds * 1000))).toEqual([
    undefined,
    step,
    step,
    step,
    undefined,
  ]);
});

it('an authenticator app gets the secret in base 32', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(totpAddress(secret, '王 芳')).toBe(
    'otpauth://totp/Stardot%20staff%3A%E7%8E%8B%20%E8%8A%B3?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Stardot%20staff',
  );
});
