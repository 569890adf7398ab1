import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Store } from '@shop/release';
import { EndedSessions } from './ended-sessions';
import { isName, isNamed, type OpsTokens } from './ops-tokens';

const COOKIE = 'ops';
/** Goes with every request of the shop, so it is good for previews only: its signature fits no session. */
const PREVIEW_COOKIE = 'ops-preview';
const EIGHT_HOURS = 8 * 3_600;

const sign = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url');
const equal = (left: string, right: string) => {
  const [a, b] = [Buffer.from(sign('compare', left)), Buffer.from(sign('compare', right))];
  return timingSafeEqual(a, b);
};

export interface OpsSession {
  /** The person's name. */
  person: string;
  /** Seconds since 1970 at which it ends by itself, and a random part. */
  id: string;
}

/** `isShared`: with the shared token, under a name that nobody checked. */
export type SignIn = { person: string; isShared: boolean } | { refusal: 'wrong' | 'unnamed' | 'taken' };

/** Sessions of /ops: signed cookies, and the ones that were ended early. Another token, shared or of a person, ends every session. */
export function opsSessions(tokens: OpsTokens, blobs: Store['blobs'], now: () => number = Date.now) {
  // Without a token there is no session, and no key that anybody could know.
  const isOpen = tokens.shared !== undefined || tokens.named.size > 0;
  const key = isOpen ? JSON.stringify([tokens.shared, ...tokens.named]) : randomBytes(32).toString('hex');
  const ended = new EndedSessions(blobs, now);
  const isLive = async (id: string) => Number.parseInt(id, 10) * 1000 >= now() && !(await ended.has(id));
  return {
    /** With a token of one's own the name is known; with the shared one it is as typed. */
    signIn(token: string, typed: string): SignIn {
      const own = [...tokens.named].filter(([, one]) => equal(token, one));
      if (own[0]) return { person: own[0][0], isShared: false };
      if (!tokens.shared || !equal(token, tokens.shared)) return { refusal: 'wrong' };
      const person = typed.replace(/\s+/g, ' ').trim();
      if (!isName(person)) return { refusal: 'unnamed' };
      return isNamed(tokens.named, person) ? { refusal: 'taken' } : { person, isShared: true };
    },
    open: (person: string): OpsSession => ({
      person,
      id: `${Math.floor(now() / 1000) + EIGHT_HOURS}-${randomBytes(9).toString('base64url')}`,
    }),
    end: ({ id }: OpsSession) => ended.add(id),
    cookies({ person, id }: OpsSession, secure: boolean): string[] {
      const text = `${Buffer.from(person).toString('base64url')}.${id}`;
      const rest = `HttpOnly; SameSite=Strict; Max-Age=${EIGHT_HOURS}${secure ? '; Secure' : ''}`;
      return [
        `${COOKIE}=${text}.${sign(key, text)}; Path=/ops; ${rest}`,
        `${PREVIEW_COOKIE}=${id}.${sign(key, `preview|${id}`)}; Path=/; ${rest}`,
      ];
    },
    endedCookies: [
      `${COOKIE}=; Path=/ops; HttpOnly; SameSite=Strict; Max-Age=0`,
      `${PREVIEW_COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
    ],
    async mayPreview(cookies: string | undefined): Promise<boolean> {
      const [, id, mac] =
        new RegExp(`(?:^|;\\s*)${PREVIEW_COOKIE}=(\\d+-[\\w-]+)\\.([\\w-]+)`).exec(cookies ?? '') ?? [];
      return Boolean(id && mac && equal(mac, sign(key, `preview|${id}`)) && (await isLive(id)));
    },
    async of(cookies: string | undefined): Promise<OpsSession | null> {
      const [, name, id, mac] =
        new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)\\.(\\d+-[\\w-]+)\\.([\\w-]+)`).exec(cookies ?? '') ?? [];
      if (!name || !id || !mac || !equal(mac, sign(key, `${name}.${id}`)) || !(await isLive(id))) return null;
      return { person: Buffer.from(name, 'base64url').toString('utf8'), id };
    },
  };
}

export type OpsSessions = ReturnType<typeof opsSessions>;
