/** The ways into /ops and out of it: a token, or a provider by OpenID Connect. */
import { ReleaseKeys, type Store } from '@platform/releases';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { minuteLimit } from '../../health/health.plugin';
import type { Database } from '../../platform/db/database';
import { escapeHtml, htmlPage } from '../../platform/http/html';
import { isSecure } from '../../platform/http/secure-request';
import type { Webhooks } from '../../providers/webhook-settings';
import { tellBreakGlass } from '../break-glass';
import { OPS_HEADERS, type OpsAudit, refuse } from '../ops-replies';
import type { OpsPerson, OpsSessions } from '../ops-session';
import type { OpenIdSettings } from './openid-settings';

export interface SignInOptions {
  sessions: OpsSessions;
  openId: OpenIdSettings | null;
  store: Store;
  channel: string;
  webhooks: Webhooks;
  db?: Database;
  audit: OpsAudit;
}

const ATTEMPTS_A_MINUTE = 10;
const ID_TOKEN_COOKIE = 'ops-id-token';
/** Browsers take 4,096 with name and attributes. */
const COOKIE_BYTES = 3_800;
const ID_TOKEN_SCOPE = 'Path=/ops/logout; HttpOnly; SameSite=Strict';

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
  return htmlPage(reply.code(status).headers(OPS_HEADERS), { lang: 'en', title, body, narrow: true });
}

export function signIn(options: SignInOptions): FastifyPluginAsync {
  const { sessions, openId, store, channel, webhooks, db, audit } = options;
  const attempt = minuteLimit(ATTEMPTS_A_MINUTE);
  const used = new ReleaseKeys(store.blobs);
  const tooMany = (reply: FastifyReply) => refuse(reply, 429, 'Too many tries. Wait a minute.');

  /** The cookies of a new session. */
  function open(request: FastifyRequest, person: OpsPerson): string[] {
    const session = sessions.open(person);
    const { way, subject } = person;
    const identity = sessions.visitorOf(session)?.identity ?? null;
    audit(request, 'session.open', identity, { detail: { way, subject, role: identity?.role } });
    return sessions.cookies(session, request.protocol === 'https');
  }

  return async (app) => {
    app.post<{ Body: { token?: string; person?: string } }>('/ops/login', async (request, reply) => {
      if (!attempt(request.ip)) return tooMany(reply);
      const { token = '', person: name = '' } = request.body ?? {};
      reply.headers(OPS_HEADERS);
      const found = sessions.signIn(String(token), String(name));
      if ('refusal' in found) {
        audit(request, 'session.refuse', null, { detail: { why: found.refusal } });
        return reply.redirect(`/ops?${found.refusal}`, 303);
      }
      const cookies = open(request, found.person);
      if (found.person.way === 'shared') {
        const onError = (error: unknown) =>
          request.log.error({ err: error }, 'a use of the shared token was not stored; it is sent once');
        const use = { person: found.person.name, why: 'signed in at /ops with the shared token' };
        void tellBreakGlass({ channel, webhooks, db, onError }, use);
      }
      return reply.header('set-cookie', cookies).redirect('/ops', 303);
    });

    // Loaded only where a provider is set.
    const provider =
      openId && new (require('./openid-sign-in') as typeof import('./openid-sign-in')).OpenIdSignIn(openId);

    app.post('/ops/logout', async (request, reply) => {
      const visitor = await sessions.of(request.headers.cookie);
      if (visitor) {
        await sessions.end(visitor);
        audit(request, 'session.close', visitor.identity);
      }
      const gone = [...sessions.endedCookies, `${ID_TOKEN_COOKIE}=; ${ID_TOKEN_SCOPE}; Max-Age=0`];
      reply.header('set-cookie', gone);
      const idToken = new RegExp(`(?:^|;\\s*)${ID_TOKEN_COOKIE}=([\\w.-]+)`).exec(request.headers.cookie ?? '')?.[1];
      const to = visitor?.person.way === 'provider' && (await provider?.signOutAddress(idToken ?? ''));
      if (!to) return reply.headers(OPS_HEADERS).redirect('/ops', 303);
      // Not by a redirect: the policy of the page lets its form lead nowhere else.
      const text = `You are signed out of this page. ${openId?.label} is next.`;
      return show(reply, { title: 'Signed out', text, to, link: `Sign out of ${openId?.label}`, follow: true });
    });

    if (!provider || !openId) return;
    const { SignInError } = require('./openid-sign-in') as typeof import('./openid-sign-in');
    const again = { to: '/ops/login', link: 'Try again' };

    /** Audited, with a page that says why. */
    function refusePerson(request: FastifyRequest, reply: FastifyReply, shown: Omit<Shown, 'title'>, detail: object) {
      audit(request, 'session.refuse', null, { detail });
      return show(reply, { title: 'Not signed in', ...shown });
    }
    function failed(request: FastifyRequest, reply: FastifyReply, error: unknown) {
      if (!(error instanceof SignInError)) throw error;
      request.log.warn({ err: error }, 'a sign-in at the provider failed');
      const status = error.kind === 'unavailable' ? 502 : 403;
      const text = `${openId?.label}: ${error.message}.`;
      return refusePerson(request, reply, { status, text, ...again }, { why: error.message });
    }
    /** The code that comes back, and the session, would travel where others can read them. */
    const requireSecure = (request: FastifyRequest, reply: FastifyReply): boolean => {
      if (isSecure(request)) return true;
      const text =
        'Open this page by https. Behind a proxy that does so, it must send X-Forwarded-Proto, and TRUST_PROXY must name it.';
      refusePerson(request, reply, { status: 403, text, to: '/ops', link: 'Back' }, { why: 'insecure' });
      return false;
    };

    app.get<{ Querystring: { again?: string } }>('/ops/login', async (request, reply) => {
      if (!attempt(request.ip)) return tooMany(reply);
      if (!requireSecure(request, reply)) return reply;
      try {
        const { address, pending } = await provider.begin({ again: request.query.again !== undefined });
        const cookie = sessions.pendingCookie(pending, request.protocol === 'https');
        return reply.headers(OPS_HEADERS).header('set-cookie', cookie).redirect(address, 303);
      } catch (error) {
        return failed(request, reply, error);
      }
    });

    app.get('/ops/login/callback', async (request, reply) => {
      if (!attempt(request.ip)) return tooMany(reply);
      if (!requireSecure(request, reply)) return reply;
      const pending = sessions.pendingOf(request.headers.cookie);
      reply.header('set-cookie', sessions.endedPendingCookie);
      if (!pending || !(await used.takeOnce(`sign-in ${pending.state}`, pending.until))) {
        const text = 'This sign-in was not begun in this browser, is older than ten minutes, or was used before.';
        return refusePerson(request, reply, { status: 403, text, ...again }, { why: 'no sign-in was begun' });
      }
      try {
        const [, query = ''] = request.url.split('?');
        const signedIn = await provider.finish(query, pending);
        const found = sessions.signInKnown(signedIn);
        const { name, subject } = signedIn;
        if ('refusal' in found || found.person.matched.length === 0) {
          const text =
            'refusal' in found
              ? `${name} is the name of somebody with a token of their own (OPS_TOKENS). Sign in with that.`
              : `${openId.label} knows you as ${name}, but nothing that it says of you has a role here. Ask ops for one (OPS_OIDC_ROLES).`;
          const why = 'refusal' in found ? found.refusal : 'no role';
          const other = { to: '/ops/login?again', link: 'Sign in as somebody else' };
          return refusePerson(request, reply, { status: 403, text, ...other }, { why, name, subject });
        }
        const isHttps = request.protocol === 'https';
        const idToken = signedIn.idToken.length < COOKIE_BYTES ? signedIn.idToken : '';
        reply.header('set-cookie', [
          ...open(request, found.person),
          `${ID_TOKEN_COOKIE}=${idToken}; ${ID_TOKEN_SCOPE}; Max-Age=28800${isHttps ? '; Secure' : ''}`,
        ]);
        // Not by a redirect: the browser would come from the provider's site, and send no strict cookie.
        const text = `You are signed in as ${found.person.name}.`;
        return show(reply, { title: 'Signed in', text, to: '/ops', link: 'Go on', follow: true });
      } catch (error) {
        return failed(request, reply, error);
      }
    });
  };
}
