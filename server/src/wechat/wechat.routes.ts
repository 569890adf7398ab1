import { type App, ok, type Shop } from '../app/context';
import { fieldError, ShopError } from '../app/errors';
import { fieldText } from '../app/field-messages';
import { answer } from '../app/schema';
import { TokenAnswerSchema } from '../auth/auth.schemas';
import { createUser, openSession } from '../auth/auth.service';
import { WechatAuthorizeQuerySchema, WxCodeQuerySchema, WxCodeSchema } from './wechat.schemas';

export function wechatRoutes(app: App, { db, providers }: Shop): void {
  app.get(
    '/api/wechat/wxcode',
    { schema: { querystring: WxCodeQuerySchema, response: answer(WxCodeSchema) } },
    async (request) => {
      if (!providers.wechat) throw new ShopError(45010);
      const callback = ownAddress(request.query.callback, request.host);
      if (!callback) throw fieldError({ callback: fieldText('other', request.locale) });
      return ok(request, { url: providers.wechat.authorizeUrl(callback) });
    },
  );
  app.get(
    '/api/front/app/wechatAuthorize',
    { schema: { querystring: WechatAuthorizeQuerySchema, response: answer(TokenAnswerSchema) } },
    async (request) => {
      const openid = await providers.wechat?.openid(request.query.code);
      if (!openid) throw new ShopError(41002);
      await createUser(db, { openid, nickname: '微信用户' });
      const account = await db.one<{ id: number; is_usable: number }>(
        'select id, is_usable from users where openid = $1',
        [openid],
      );
      return ok(request, await openSession(db, account, request.ip));
    },
  );
}

/** The return address when it is the shop's own, by the Host that the request came to; never an open redirect. */
function ownAddress(callback: string, host: string): string | undefined {
  if (/^\/(?![/\\])/.test(callback) && !/[\p{Cc}\\]/u.test(callback)) return callback;
  try {
    const url = new URL(callback);
    return (url.protocol === 'https:' || url.protocol === 'http:') && url.host === host && !url.username
      ? url.href
      : undefined;
  } catch {
    return undefined;
  }
}
