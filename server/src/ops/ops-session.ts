import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Grant, Identity, Store } from '@platform/releases';
import { EndedSessions } from './ended-sessions';
import { isName, isNamed, type OpsTokens } from './ops-tokens';
import type { OpenIdSettings } from './sign-in/openid-settings';
import type { PendingSignIn, SignedIn } from './sign-in/openid-sign-in';
import { SignedCookies } from './signed-cookies';

const COOKIE = 'ops';
/** Goes with every request of the shop, so it is good for previews only. */
const PREVIEW_COOKIE = 'ops-preview';
const PENDING_COOKIE = 'ops-sign-in';
const EIGHT_HOURS = 8 * 3_600;
/** For a password and a second factor at the provider. */
const TEN_MINUTES = 600;
const EVERYTHING: Grant = { role: 'ops', remotes: [], channels: [] };

const fixed = (text: string) => createHmac('sha256', 'compare').update(text).digest();
const equal = (left: string, right: string) => timingSafeEqual(fixed(left), fixed(right));

/** How people sign in. */
export interface OpsAccess extends OpsTokens {
  openId?: OpenIdSettings | null;
}

export interface OpsPerson {
  name: string;
  /** With the shared token, one of their own, or at the provider. */
  way: 'shared' | 'own' | 'provider';
  /** The same for the same person at the provider, whatever the name. */
  subject: string;
  /** What the provider said of them that a rule names. */
  matched: SignedIn['matched'];
}

export interface OpsSession {
  person: OpsPerson;
  /** Seconds since 1970 at which it ends by itself, and a random part. */
  id: string;
}

/** A session and what it may do now. */
export interface OpsVisitor extends OpsSession {
  identity: Identity;
  /** Who this is where two people must agree; null: nobody, because one person can hold several tokens. */
  agreesAs: string | null;
}

interface Pending extends PendingSignIn {
  /** Milliseconds since 1970. */
  until: number;
}

export type SignIn = { person: OpsPerson } | { refusal: 'wrong' | 'unnamed' | 'taken' };

/** What a history can show: visible characters, and none by which one name could pass for another's with a role. */
export const shownName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._@'’+-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80);

/**
 * Sessions of /ops: signed cookies, and the ones that were ended early. Another token, shared or of a person, or another secret of the
 * provider ends every session. The role is found anew at each call.
 */
export function opsSessions(access: OpsAccess, blobs: Store['blobs'], now: () => number = Date.now) {
  const { shared, named, openId } = access;
  const secrets = [
    shared,
    ...named,
    ...(openId ? [openId.issuer, openId.clientId, openId.clientSecret, openId.privateKey] : []),
  ];
  // Without a secret there is no session, and no key that anybody could know.
  const key =
    shared === undefined && named.size === 0 && !openId ? randomBytes(32).toString('hex') : JSON.stringify(secrets);
  const signed = new SignedCookies(key);
  const ended = new EndedSessions(blobs, now);
  const isLive = async (id: string) => Number.parseInt(id, 10) * 1000 >= now() && !(await ended.has(id));

  function grantOf({ way, matched }: OpsPerson): Grant | undefined {
    if (way !== 'provider') return EVERYTHING;
    const rule = openId?.rules.find((one) =>
      matched.some(([claim, value]) => claim === one.claim && value === one.value),
    );
    if (!rule) return undefined;
    const { claim: _claim, value: _value, ...grant } = rule;
    return grant;
  }
  function visitorOf(session: OpsSession): OpsVisitor | null {
    const { person, id } = session;
    const grant = grantOf(person);
    if (!grant) return null;
    // Beside names that a provider vouches for, a typed one must not look alike.
    const kind = person.way === 'shared' && openId ? 'break-glass' : 'person';
    const expiresAt = new Date(Number.parseInt(id, 10) * 1000).toISOString();
    const counts = openId ? person.way === 'provider' : person.way === 'own';
    const agreesAs = counts ? `${person.way} ${person.subject}` : null;
    return { ...session, agreesAs, identity: { ...grant, id, name: person.name, kind, expiresAt } };
  }

  return {
    takesTokens: shared !== undefined || named.size > 0,
    /** With a token of one's own the name is known; with the shared one it is as typed. */
    signIn(token: string, typed: string): SignIn {
      const own = [...named].filter(([, one]) => equal(token, one));
      if (own[0]) return { person: { name: own[0][0], way: 'own', subject: own[0][0], matched: [] } };
      if (!shared || !equal(token, shared)) return { refusal: 'wrong' };
      const name = typed.replace(/\s+/g, ' ').trim();
      if (!isName(name)) return { refusal: 'unnamed' };
      if (isNamed(named, name)) return { refusal: 'taken' };
      return { person: { name, way: 'shared', subject: '', matched: [] } };
    },
    /** For whom a provider vouches. */
    signInKnown({ name, subject, matched }: SignedIn): SignIn {
      const shown = shownName(name) || shownName(subject);
      return isNamed(named, shown)
        ? { refusal: 'taken' }
        : { person: { name: shown, way: 'provider', subject, matched } };
    },
    open: (person: OpsPerson): OpsSession => ({
      person,
      id: `${Math.floor(now() / 1000) + EIGHT_HOURS}-${randomBytes(9).toString('base64url')}`,
    }),
    visitorOf,
    end: ({ id }: OpsSession) => ended.add(id),
    cookies(session: OpsSession, secure: boolean): string[] {
      const rest = `HttpOnly; SameSite=Strict; Max-Age=${EIGHT_HOURS}${secure ? '; Secure' : ''}`;
      return [
        signed.header(COOKIE, session, `Path=/ops; ${rest}`),
        signed.header(PREVIEW_COOKIE, session.id, `Path=/; ${rest}`),
      ];
    },
    endedCookies: [
      `${COOKIE}=; Path=/ops; HttpOnly; SameSite=Strict; Max-Age=0`,
      `${PREVIEW_COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
    ],
    /** Lax: the provider sends the browser back from its own site. */
    pendingCookie(pending: PendingSignIn, secure: boolean): string {
      const content: Pending = { ...pending, until: now() + TEN_MINUTES * 1000 };
      const rest = `Path=/ops/login; HttpOnly; SameSite=Lax; Max-Age=${TEN_MINUTES}${secure ? '; Secure' : ''}`;
      return signed.header(PENDING_COOKIE, content, rest);
    },
    endedPendingCookie: `${PENDING_COOKIE}=; Path=/ops/login; HttpOnly; SameSite=Lax; Max-Age=0`,
    pendingOf(cookies: string | undefined): Pending | null {
      const pending = signed.read<Pending>(PENDING_COOKIE, cookies);
      return pending && pending.until >= now() ? pending : null;
    },
    async mayPreview(cookies: string | undefined): Promise<boolean> {
      const id = signed.read<string>(PREVIEW_COOKIE, cookies);
      return id !== undefined && isLive(id);
    },
    /** Null also for whom no rule gives a role any more. */
    async of(cookies: string | undefined): Promise<OpsVisitor | null> {
      const session = signed.read<OpsSession>(COOKIE, cookies);
      return session && (await isLive(session.id)) ? visitorOf(session) : null;
    },
  };
}

export type OpsSessions = ReturnType<typeof opsSessions>;
