import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Grant, Identity, Store } from '@platform/releases';
import { sessionName } from '@shop/server/platform/audit/audit';
import { sha256 } from '@shop/server/platform/crypto/tokens';
import { EndedSessions } from './ended-sessions';
import { type BackOfficeRole, isStaffRole, roleInReleases, type StaffRole } from './roles';
import { countsAs } from './second-person';
import { SignedCookies } from './signed-cookies';

const COOKIE = 'staff';
/** Goes with every request of the shop, so it is good for previews only. */
const PREVIEW_COOKIE = 'ops-preview';
/** Activity keeps a session alive for so long at most. */
export const SESSION_SECONDS = 8 * 3600;
const SESSION_MS = SESSION_SECONDS * 1000;

/** What somebody may do of whom the provider says this. */
export interface ClaimRule extends Omit<Grant, 'role'> {
  role: BackOfficeRole;
  /** "groups" */
  claim: string;
  /** The claim, or one of its values. */
  value: string;
}

export interface BackOfficePerson {
  name: string;
  /** With a password, at the provider, or with the break-glass token. */
  way: 'password' | 'provider' | 'token';
  /** The same for the same person, whatever the name. */
  subject: string;
  /** Of whoever signed in with a password. */
  role?: StaffRole;
  /** What the provider said of the person that a rule names. */
  matched?: Array<[claim: string, value: string]>;
}

export interface BackOfficeSession {
  person: BackOfficePerson;
  /** Milliseconds since 1970 at which it ends by itself, and a random part. */
  id: string;
  /** Of the token, or of what the shop proves itself with at the provider: another one ends the session. */
  secret?: string;
}

/** A session and what it may do now. */
export interface BackOfficeVisitor extends BackOfficeSession {
  role: BackOfficeRole;
  /** By which the database knows the session. */
  tokenHash: Buffer;
  /** In the releases; null for who does not see them. */
  identity: Identity | null;
  /** Who this is where two people must agree; null: nobody, because everybody can hold the token. */
  agreesAs: string | null;
}

/** What a server with a release store knows besides. */
export interface ReleaseAccess {
  blobs: Store['blobs'];
  /** Empty where there is none. */
  breakGlassToken: string;
  provider: {
    rules: readonly ClaimRule[];
    issuer: string;
    clientId: string;
    clientSecret: string;
    privateKey: string;
  } | null;
}

const endOf = (id: string) => Number.parseInt(id, 10);
export const newSessionId = (now = Date.now()): string =>
  `${now + SESSION_MS}-${randomBytes(18).toString('base64url')}`;
/** A session of the database has a person in it; the others are known by their cookie alone. */
export const isInDatabase = ({ person, role }: BackOfficeVisitor): boolean =>
  person.way !== 'token' && isStaffRole(role);

/** Sessions of the back office: a signed cookie, so that who looks after releases needs no database. */
export class BackOfficeSessions {
  /** Other content than a session that this server signs. */
  readonly signed: SignedCookies;
  private ended: EndedSessions | null = null;
  private access: ReleaseAccess | null = null;

  constructor(
    secret: string,
    private now: () => number = Date.now,
  ) {
    this.signed = new SignedCookies(createHmac('sha256', secret).update('sessions of the back office').digest('hex'));
  }

  /** Called once, before the server listens. */
  withReleases(access: ReleaseAccess, now = this.now): this {
    Object.assign(this, { access, now, ended: new EndedSessions(access.blobs, now) });
    return this;
  }

  open(person: BackOfficePerson, id = newSessionId(this.now())): BackOfficeVisitor | null {
    return this.visitorOf({ person, id, secret: this.secretOf(person) });
  }

  /** By the signature alone; null also for whom no rule gives a role any more. */
  read(cookies: string | undefined): BackOfficeVisitor | null {
    const session = this.signed.read<BackOfficeSession>(COOKIE, cookies);
    return session && endOf(session.id) > this.now() ? this.visitorOf(session) : null;
  }

  /** By the signature and the list of what has ended. */
  async of(cookies: string | undefined): Promise<BackOfficeVisitor | null> {
    const visitor = this.read(cookies);
    return visitor && !(await this.hasEnded(visitor)) ? visitor : null;
  }

  async hasEnded({ id, person: { subject } }: BackOfficeSession): Promise<boolean> {
    return (await this.ended?.has({ id, subject, openedAt: endOf(id) - SESSION_MS })) ?? false;
  }

  /** Who previews releases in the shop, by the cookie that goes there. */
  async previewer(cookies: string | undefined): Promise<Identity | null> {
    const session = this.signed.read<BackOfficeSession>(PREVIEW_COOKIE, cookies);
    if (!session || endOf(session.id) <= this.now()) return null;
    const identity = this.visitorOf(session)?.identity;
    return identity && !(await this.hasEnded(session)) ? identity : null;
  }

  end = ({ id }: BackOfficeSession): Promise<void> | undefined => this.ended?.add(id);

  /** Throws when the release store is away. */
  endPerson: EndedSessions['endPerson'] = async (subject, options) => this.ended?.endPerson(subject, options);

  cookies({ person, id, secret, identity }: BackOfficeVisitor, isSecure: boolean): string[] {
    const rest = `HttpOnly; SameSite=Strict; Max-Age=${SESSION_SECONDS}${isSecure ? '; Secure' : ''}`;
    const session: BackOfficeSession = { person, id, secret };
    return [
      this.signed.header(COOKIE, session, `Path=/staff; ${rest}`),
      ...(identity ? [this.signed.header(PREVIEW_COOKIE, session, `Path=/; ${rest}`)] : []),
    ];
  }

  readonly endedCookies = [
    `${COOKIE}=; Path=/staff; HttpOnly; SameSite=Strict; Max-Age=0`,
    `${PREVIEW_COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
  ];

  private secretOf({ way }: BackOfficePerson): string | undefined {
    if (way === 'password') return undefined;
    const { breakGlassToken = '', provider } = this.access ?? {};
    const { issuer, clientId, clientSecret, privateKey } = provider ?? {};
    const secrets = way === 'token' ? [breakGlassToken] : [issuer, clientId, clientSecret, privateKey];
    return createHash('sha256').update(JSON.stringify(secrets)).digest('base64url');
  }

  private grantOf({ way, role, matched = [] }: BackOfficePerson): Omit<ClaimRule, 'claim' | 'value'> | undefined {
    if (way === 'password') return role && { role, remotes: [], channels: [] };
    if (way === 'token') return this.access?.breakGlassToken ? { role: 'ops', remotes: [], channels: [] } : undefined;
    return this.access?.provider?.rules.find((rule) =>
      matched.some(([claim, value]) => claim === rule.claim && value === rule.value),
    );
  }

  private visitorOf(session: BackOfficeSession): BackOfficeVisitor | null {
    const { person, id, secret } = session;
    const grant = this.grantOf(person);
    if (!grant || secret !== this.secretOf(person)) return null;
    const { role, remotes, channels, maxTraffic } = grant;
    const tokenHash = sha256(id);
    const inReleases = roleInReleases(role);
    const kind: Identity['kind'] = person.way === 'token' ? 'break-glass' : 'person';
    const expiresAt = new Date(endOf(id)).toISOString();
    const identity = inReleases && {
      ...{ id: sessionName(tokenHash), name: person.name, kind, expiresAt },
      ...{ role: inReleases, remotes, channels, maxTraffic },
    };
    return { ...session, role, tokenHash, identity, agreesAs: countsAs(person) };
  }
}
