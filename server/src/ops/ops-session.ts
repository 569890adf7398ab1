import { createHmac, timingSafeEqual } from 'node:crypto';

const COOKIE = 'ops';
/** Goes with every request of the shop, so it is good for previews only: its signature fits no session. */
const PREVIEW_COOKIE = 'ops-preview';
const EIGHT_HOURS = 8 * 3_600;

const sign = (token: string, text: string) => createHmac('sha256', token).update(text).digest('base64url');
const equal = (left: string, right: string) => {
  const [a, b] = [Buffer.from(sign('compare', left)), Buffer.from(sign('compare', right))];
  return timingSafeEqual(a, b);
};

/** Sessions of /ops: the name that a person gave, signed with the token. A new token ends every session. */
export function opsSession(token: string, now: () => number = Date.now) {
  return {
    isToken: (given: string) => equal(given, token),
    cookie(person: string, secure: boolean): string {
      const until = Math.floor(now() / 1000) + EIGHT_HOURS;
      const text = `${Buffer.from(person).toString('base64url')}.${until}`;
      return `${COOKIE}=${text}.${sign(token, text)}; Path=/ops; HttpOnly; SameSite=Strict; Max-Age=${EIGHT_HOURS}${secure ? '; Secure' : ''}`;
    },
    previewCookie(secure: boolean): string {
      const until = Math.floor(now() / 1000) + EIGHT_HOURS;
      return `${PREVIEW_COOKIE}=${until}.${sign(token, `preview|${until}`)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${EIGHT_HOURS}${secure ? '; Secure' : ''}`;
    },
    ended: [
      `${COOKIE}=; Path=/ops; HttpOnly; SameSite=Strict; Max-Age=0`,
      `${PREVIEW_COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
    ],
    mayPreview(cookies: string | undefined): boolean {
      const [, until, mac] = new RegExp(`(?:^|;\\s*)${PREVIEW_COOKIE}=(\\d+)\\.([\\w-]+)`).exec(cookies ?? '') ?? [];
      if (!until || !mac) return false;
      return equal(mac, sign(token, `preview|${until}`)) && Number(until) * 1000 >= now();
    },
    /** The person's name, or null. */
    person(cookies: string | undefined): string | null {
      const [, name, until, mac] =
        new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]*)\\.(\\d+)\\.([\\w-]+)`).exec(cookies ?? '') ?? [];
      if (name === undefined || !until || !mac) return null;
      if (!equal(mac, sign(token, `${name}.${until}`)) || Number(until) * 1000 < now()) return null;
      return Buffer.from(name, 'base64url').toString('utf8') || 'ops';
    },
  };
}
