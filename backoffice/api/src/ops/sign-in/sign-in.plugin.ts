/** Ways into the back office that need no database: the provider by OpenID Connect, and the break-glass token. */

import { isSecureCookie } from '@platform/pages/cookies';
import { ReleaseKeys, type Store } from '@platform/releases';
import { minuteLimit } from '@shop/server/health/health.plugin';
import { sameText } from '@shop/server/platform/crypto/tokens';
import type { Database } from '@shop/server/platform/db/database';
import { ok } from '@shop/server/platform/http/envelope';
import { ShopError } from '@shop/server/platform/http/errors';
import { escapeHtml, htmlPage } from '@shop/server/platform/http/html';
import { answer } from '@shop/server/platform/http/schemas';
import { isSecure } from '@shop/server/platform/http/secure-request';
import type { Webhooks } from '@shop/server/providers/webhook-settings';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { BackOfficePerson, BackOfficeSessions, BackOfficeVisitor } from '../../staff/back-office-sessions';
import { isStaffRole } from '../../staff/roles';
import { SignInWaysSchema, StaffMeSchema, TokenSignInBodySchema } from '../../staff/staff.schemas';
import { isOwn, setCookies, toMe } from '../../staff/staff-access';
import { openProviderSession } from '../../staff/staff-sessions.service';
import { tellBreakGlass } from '../break-glass';
import { NO_STORE_HEADERS, type OpsAudit } from '../ops-audit';
import type { OpenIdSettings } from './openid-settings';
import type { PendingSignIn } from './openid-sign-in';

export interface SignInOptions {
  sessions: BackOfficeSessions;
  openId: OpenIdSettings | null;
  /** Empty where there is none. */
  breakGlassToken: string;
  store: Store;
  channel: string;
  /** Who is told when somebody signs in with the break-glass token. */
  webhooks: Webhooks;
  db?: Database;
  audit: OpsAudit;
  now?: () => number;
}

const ATTEMPTS_A_MINUTE = 10;
const PENDING_COOKIE = 'staff-sign-in';
/** For a password and a second factor at the provider. */
const PENDING_SECONDS = 600;
const ID_TOKEN_COOKIE = 'staff-id-token';
/** Browsers take 4,096 with name and attributes. */
const COOKIE_BYTES = 3_800;
const ID_TOKEN_SCOPE = 'Path=/staff/logout; HttpOnly; SameSite=Strict';

interface Pending extends PendingSignIn {
  /** Milliseconds since 1970. */
  until: number;
  page: '/ops' | '/staff';
}

interface Shown {
  status?: number;
  title: string;
  text: string;
  /** Where the link leads, and by itself the page with `follow`. */
  to: string;
  link: string;
  follow?: boolean;
}

function show(reply: FastifyReply, { status = 200, title, text, to, link, follow }: Shown): FastifyReply {
  const body = `<div class="card"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><a class="button primary" href="${escapeHtml(to)}">${escapeHtml(link)}</a></div>`;
  if (follow) reply.header('refresh', `0;url=${to}`);
  return htmlPage(reply.code(status).headers(NO_STORE_HEADERS), { lang: 'en', title, body, narrow: true });
}

/** What a history can show: visible characters, and none by which one name could pass for another's with a role. */
const shownName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._@'’+-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80);

export function signIn(options: SignInOptions): FastifyPluginAsync {
  const { sessions, openId, breakGlassToken, store, channel, webhooks, db, audit, now = Date.now } = options;
  const attempt = minuteLimit(ATTEMPTS_A_MINUTE, now);
  const used = new ReleaseKeys(store.blobs);

  /** Of a session that the database does not know. */
  function record(request: FastifyRequest, { person: { way, subject }, role, identity }: BackOfficeVisitor): void {
    audit(request, 'session.open', identity, { detail: { way, subject, role } });
  }

  const byToken: FastifyPluginAsync = async (app) => {
    app.post<{ Body: { name: string; token: string } }>(
      '/staff/api/session/token',
      { schema: { body: TokenSignInBodySchema, response: answer(StaffMeSchema) } },
      async (request, reply) => {
        reply.headers(NO_STORE_HEADERS);
        if (!isOwn(request)) throw new ShopError(ErrorCode.Forbidden);
        if (!attempt(request.ip)) throw new ShopError(ErrorCode.TooManyRequests);
        const { name, token } = request.body;
        const isRight = breakGlassToken !== '' && sameText(token, breakGlassToken);
        const visitor = isRight ? sessions.open({ name, way: 'token', subject: 'token' }) : null;
        if (!visitor) {
          audit(request, 'session.refuse', null, { detail: { why: 'token' } });
          throw new ShopError(StaffErrorCode.StaffSignInRefused);
        }
        record(request, visitor);
        setCookies(request, reply, sessions, visitor);
        const onError = (error: unknown) =>
          request.log.error({ err: error }, 'a use of the break-glass token was not stored; it is sent once');
        const use = { person: name, why: 'signed in with the break-glass token' };
        void tellBreakGlass({ channel, webhooks, db, onError }, use);
        return ok(request, toMe(visitor));
      },
    );
  };

  return async (app) => {
    app.get('/staff/api/sign-in', { schema: { response: answer(SignInWaysSchema) } }, async (request, reply) => {
      reply.headers(NO_STORE_HEADERS);
      return ok(request, { provider: openId?.label ?? null, token: breakGlassToken !== '' });
    });
    await app.register(byToken);
    if (!openId) return;
    // Loaded only where a provider is set.
    const { OpenIdSignIn, SignInError } = require('./openid-sign-in') as typeof import('./openid-sign-in');
    const provider = new OpenIdSignIn(openId);
    const again = { to: '/staff/login', link: 'Try again' };

    /** Audited, with a page that says why. */
    function refuse(request: FastifyRequest, reply: FastifyReply, shown: Omit<Shown, 'title'>, detail: object) {
      audit(request, 'session.refuse', null, { detail });
      return show(reply, { title: 'Not signed in', ...shown });
    }
    function failed(request: FastifyRequest, reply: FastifyReply, error: unknown) {
      if (!(error instanceof SignInError)) throw error;
      request.log.warn({ err: error }, 'a sign-in at the provider failed');
      const status = error.kind === 'unavailable' ? 502 : 403;
      return refuse(
        request,
        reply,
        { status, text: `${openId?.label}: ${error.message}.`, ...again },
        { why: error.message },
      );
    }
    /** False after an answer. The code that comes back, and the session, would travel where others can read them. */
    function mayTry(request: FastifyRequest, reply: FastifyReply): boolean {
      if (!attempt(request.ip)) {
        show(reply, { status: 429, title: 'Not signed in', text: 'Too many tries. Wait a minute.', ...again });
        return false;
      }
      if (isSecure(request)) return true;
      const text =
        'Open this page by https. Behind a proxy that does so, it must send X-Forwarded-Proto, and TRUST_PROXY must name it.';
      refuse(request, reply, { status: 403, text, to: '/staff', link: 'Back' }, { why: 'insecure' });
      return false;
    }
    const secureFlag = (request: FastifyRequest) => (isSecureCookie(request) ? '; Secure' : '');

    /** Entered among the staff of the database too, unless it is away or the role is for releases only. Throws ShopError. */
    async function visitorOf(request: FastifyRequest, person: BackOfficePerson): Promise<BackOfficeVisitor | null> {
      const visitor = sessions.open(person);
      if (!visitor) return null;
      if (await sessions.hasEnded(visitor)) throw new ShopError(StaffErrorCode.StaffSignInRefused);
      const { subject, name } = person;
      const { role } = visitor;
      try {
        if (db && isStaffRole(role))
          return sessions.open(person, (await openProviderSession(db, { subject, name, role }, request.ip)).id);
      } catch (error) {
        if (error instanceof ShopError || !visitor.identity) throw error;
        request.log.error({ err: error }, 'signed in for releases only, since the database is away');
      }
      record(request, visitor);
      return visitor;
    }

    app.get<{ Querystring: { again?: string; page?: string } }>('/staff/login', async (request, reply) => {
      if (!mayTry(request, reply)) return reply;
      const { again: asOther, page } = request.query;
      try {
        const { address, pending } = await provider.begin({ again: asOther !== undefined });
        const content: Pending = {
          ...pending,
          until: now() + PENDING_SECONDS * 1000,
          page: page === 'ops' ? '/ops' : '/staff',
        };
        // Lax: the provider sends the browser back from its own site.
        const rest = `Path=/staff/login; HttpOnly; SameSite=Lax; Max-Age=${PENDING_SECONDS}${secureFlag(request)}`;
        const cookie = sessions.signed.header(PENDING_COOKIE, content, rest);
        return reply.headers(NO_STORE_HEADERS).header('set-cookie', cookie).redirect(address, 303);
      } catch (error) {
        return failed(request, reply, error);
      }
    });

    app.get('/staff/login/callback', async (request, reply) => {
      if (!mayTry(request, reply)) return reply;
      const pending = sessions.signed.read<Pending>(PENDING_COOKIE, request.headers.cookie);
      reply.header('set-cookie', `${PENDING_COOKIE}=; Path=/staff/login; HttpOnly; SameSite=Lax; Max-Age=0`);
      const isGood = pending && pending.until >= now();
      if (!isGood || !(await used.takeOnce(`sign-in ${pending.state}`, pending.until))) {
        const text = 'This sign-in was not begun in this browser, is older than ten minutes, or was used before.';
        return refuse(request, reply, { status: 403, text, ...again }, { why: 'no sign-in was begun' });
      }
      try {
        const [, query = ''] = request.url.split('?');
        const { name, subject, matched, idToken } = await provider.finish(query, pending);
        const person: BackOfficePerson = {
          name: shownName(name) || shownName(subject),
          way: 'provider',
          subject,
          matched,
        };
        const other = { to: '/staff/login?again', link: 'Sign in as somebody else' };
        const visitor = await visitorOf(request, person).catch((error: unknown) => {
          if (error instanceof ShopError) return error;
          throw error;
        });
        if (visitor instanceof ShopError || !visitor) {
          const isTaken = visitor instanceof ShopError && visitor.code === StaffErrorCode.StaffNameTaken;
          const [why, text] = isTaken
            ? ['taken', `${person.name} is the name of somebody else here. Ask a manager.`]
            : visitor
              ? ['disabled', `${person.name} may not sign in here any more. Ask a manager.`]
              : [
                  'no role',
                  `${openId.label} knows you as ${name}, but nothing that it says of you has a role here. Ask ops for one (OPS_OIDC_ROLES).`,
                ];
          return refuse(request, reply, { status: 403, text, ...other }, { why, name, subject });
        }
        setCookies(request, reply, sessions, visitor);
        const kept = idToken.length < COOKIE_BYTES ? idToken : '';
        reply.header(
          'set-cookie',
          `${ID_TOKEN_COOKIE}=${kept}; ${ID_TOKEN_SCOPE}; Max-Age=43200${secureFlag(request)}`,
        );
        // Not by a redirect: the browser would come from the provider's site, and send no strict cookie.
        const text = `You are signed in as ${person.name}.`;
        return show(reply, { title: 'Signed in', text, to: pending.page, link: 'Go on', follow: true });
      } catch (error) {
        return failed(request, reply, error);
      }
    });

    /** The session here has ended by now. */
    app.get('/staff/logout', async (request, reply) => {
      reply.headers(NO_STORE_HEADERS).header('set-cookie', `${ID_TOKEN_COOKIE}=; ${ID_TOKEN_SCOPE}; Max-Age=0`);
      const idToken = new RegExp(`(?:^|;\\s*)${ID_TOKEN_COOKIE}=([\\w.-]+)`).exec(request.headers.cookie ?? '')?.[1];
      return reply.redirect((await provider.signOutAddress(idToken ?? '')) ?? '/staff', 303);
    });
  };
}
