import { cookieOf, setCookie } from '@platform/pages/cookies';
import { ErrorCode } from '@shop/shared/domain';
import type { FastifyRequest } from 'fastify';
import type { DomainRoutes } from '../../context';
import { randomToken, sameText, seal, sha256, unseal } from '../../platform/crypto/tokens';
import type { Database } from '../../platform/db/database';
import { callsOf } from '../../platform/http/calls';
import { fieldError, ShopError } from '../../platform/http/errors';
import { fieldText } from '../../platform/http/field-messages';
import type { Viewer } from '../../platform/http/request';
import type { WechatUser } from '../../providers/providers';
import { wechatAuthorizeCall, wxCodeCall } from '../auth/auth.schemas';
import { createInvitedUser } from '../auth/auth.service';
import { withDocumentCookie } from '../auth/session-lookup';
import { openSession, type Visitor } from '../sessions/sessions.service';
import { visitorOf } from '../sessions/visitor';

const STATE_SECONDS = 600;
const COOKIE = 'wx_state';
const SCOPE = { path: '/api', httpOnly: true, sameSite: 'lax' } as const;

const fingerprint = (browser: string) => sha256(browser).toString('base64url');

export const wechatRoutes: DomainRoutes = async (app, { context: { db, config, providers } }) => {
  const { guest } = callsOf(app);
  guest.get('/api/wechat/wxcode', wxCodeCall, async ({ query, locale, request, reply }) => {
    if (!providers.wechat) throw new ShopError(ErrorCode.PaymentMethodUnavailable);
    const { publicUrl } = config.providers;
    const callback = shopAddress(query.callback, publicUrl, request.host);
    if (!callback) throw fieldError({ callback: fieldText('other', locale) });
    // The state is bound to this browser: a link with another user's code and state signs no one in (login CSRF).
    const browser = stateOf(request) ?? randomToken();
    const state = seal(config.secret, 'wechat-state', { browser: fingerprint(browser) }, STATE_SECONDS);
    setCookie(request, reply, COOKIE, browser, { ...SCOPE, maxAge: STATE_SECONDS });
    return { url: providers.wechat.authorizeUrl(callback, state) };
  });
  guest.get('/api/front/app/wechatAuthorize', wechatAuthorizeCall, async ({ viewer, query, request, reply }) => {
    const { code, state = '' } = query;
    const browser = stateOf(request);
    const signInState = unseal<{ browser: string }>(config.secret, 'wechat-state', state);
    if (!browser || !signInState || !sameText(signInState.browser, fingerprint(browser)))
      throw new ShopError(ErrorCode.WrongVerificationCode);
    // A state is valid for one try.
    setCookie(request, reply, COOKIE, '', SCOPE);
    const user = await providers.wechat?.user(code);
    if (!user) throw new ShopError(ErrorCode.WrongVerificationCode);
    const visitor = visitorOf(request, reply);
    const account = await accountOf(db, user, viewer, visitor);
    return withDocumentCookie(request, reply, await openSession(db, account, visitor, 'wechat'));
  });
};

/** The account with this openid or unionid; otherwise the signed-in one, which is linked; otherwise a new one. */
async function accountOf(db: Database, { openid, unionid }: WechatUser, viewer: Viewer | undefined, visitor: Visitor) {
  const find = () =>
    db.row<{ id: number; is_usable: number }>(
      'select id, is_usable from users where openid = $1 or unionid = $2 order by (openid = $1) desc nulls last limit 1',
      [openid, unionid ?? null],
    );
  const existing = await find();
  if (existing) return existing;
  if (viewer) {
    await db.run(
      `update users set openid = $2, unionid = $3 where id = $1 and openid is null
          and not exists (select 1 from users where openid = $2 or unionid = $3)`,
      [viewer.id, openid, unionid ?? null],
    );
    return db.one<{ id: number; is_usable: number }>('select id, is_usable from users where id = $1', [viewer.id]);
  }
  const created = (await createInvitedUser(db, { openid, unionid, nickname: '微信用户' }, visitor)) ?? (await find());
  if (!created) throw new Error('the account was neither found nor created');
  return created;
}

const stateOf = (request: FastifyRequest) => /^[\w-]{43}$/.exec(cookieOf(request, COOKIE) ?? '')?.[0];

/**
 * Returns the address if it is the shop's, so that this is no open redirect. Without PUBLIC_URL, as with a sandbox, it must be a
 * path: the client chooses the host of a request, and a proxy may have terminated TLS.
 */
function shopAddress(callback: string, publicUrl: string, host: string): string | undefined {
  if (/[\p{Cc}\\]/u.test(callback) || /^\/\//.test(callback)) return undefined;
  try {
    const shop = new URL(publicUrl || `http://${host}`);
    const url = new URL(callback, callback.startsWith('/') ? shop : undefined);
    const same = publicUrl ? url.origin === shop.origin : url.host === shop.host && /^https?:$/.test(url.protocol);
    if (!same || url.username || url.password) return undefined;
    return publicUrl ? url.href : `${url.pathname}${url.search}${url.hash}`;
  } catch {
    return undefined;
  }
}
