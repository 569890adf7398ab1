import { type Static, Type } from 'typebox';
import type { DomainRoutes } from '../context';
import { callsOf } from '../platform/http/calls';
import { escapeHtml, htmlPage } from '../platform/http/html';
import { textOf } from '../platform/http/localised-text';
import type { Locale } from '../platform/http/schemas';
import { channelsOf } from '../providers/providers';
import { kindNames, kindOf } from './notice-kinds';
import {
  addBrowserCall,
  addStockWishCall,
  ConfirmationSentSchema,
  NoticeSettingsSchema,
  removeStockWishCall,
  saveSettingsCall,
  stockWishesCall,
} from './notices.schemas';
import {
  addBrowser,
  confirmationOf,
  confirmEmail,
  noticeSettings,
  removeBrowser,
  saveNoticeSettings,
  sendConfirmation,
  stopMails,
  stopOf,
} from './notices.service';
import { addStockWish, removeStockWish, stockWishes } from './stock-wishes.service';

const texts = {
  'zh-CN': {
    stop: '停止邮件通知',
    stopAbout: '不再通过邮件接收：',
    stopOne: '停止此类邮件',
    stopAll: '停止所有邮件通知',
    stopped: '已停止。可随时在“通知设置”中重新开启。',
    confirm: '确认邮箱',
    confirmAbout: '通知将发送到此邮箱：',
    confirmed: '邮箱已确认。',
    invalid: '链接已失效，请在“通知设置”中重新操作。',
    settings: '前往通知设置',
  },
  en: {
    stop: 'End emails',
    stopAbout: 'No more emails of this kind:',
    stopOne: 'End these emails',
    stopAll: 'End all emails',
    stopped: 'Done. You can switch them on again in your notice settings at any time.',
    confirm: 'Confirm email address',
    confirmAbout: 'Notices will come to this address:',
    confirmed: 'Your email address is confirmed.',
    invalid: 'This link is no longer valid. Please start again in your notice settings.',
    settings: 'Notice settings',
  },
} as const satisfies Record<Locale, Record<string, string>>;

const TokenQuerySchema = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 600 }),
  all: Type.Optional(Type.Literal('1')),
});
type TokenQuery = Static<typeof TokenQuerySchema>;
const hidden = { querystring: TokenQuerySchema, hide: true };

export const noticesRoutes: DomainRoutes = async (app, { context, reads, userReads }) => {
  const { user } = callsOf(app);
  const { db, config, providers } = context;
  const settings = '/api/front/user/notices';
  userReads.serve(app, settings, { data: NoticeSettingsSchema }, (_query, { viewer, locale }) =>
    noticeSettings({ db: reads, providers }, viewer, locale),
  );
  user.post(settings, saveSettingsCall, async ({ viewer, body, locale }) => {
    if (channelsOf(providers).length > 0) await saveNoticeSettings(db, viewer.id, body, locale);
    return noticeSettings(context, viewer, locale);
  });
  user.post(`${settings}/email`, { data: ConfirmationSentSchema }, async ({ viewer, locale, request }) => ({
    address: await sendConfirmation(context, viewer, locale, request.ip),
  }));
  user.post(`${settings}/push`, addBrowserCall, async ({ viewer, body, locale }) => {
    await addBrowser(context, viewer, body, locale);
    return noticeSettings(context, viewer, locale);
  });
  user.delete(`${settings}/push`, { data: NoticeSettingsSchema }, async ({ viewer, locale }) => {
    await removeBrowser(db, viewer);
    return noticeSettings(context, viewer, locale);
  });

  const stockWishUrl = '/api/front/user/stockWish';
  user.get(stockWishUrl, stockWishesCall, async ({ viewer, query }) => ({
    spec_ids: await stockWishes(reads, viewer, query.goods_id),
  }));
  user.post(stockWishUrl, addStockWishCall, async ({ viewer, body, locale }) =>
    addStockWish(context, viewer, body.spec_id, locale),
  );
  user.delete(stockWishUrl, removeStockWishCall, async ({ viewer, query }) => {
    const { spec_id } = query;
    await removeStockWish(db, viewer, spec_id);
    return { spec_id, waiting: false, channels: [] };
  });

  /** Pages that mails link to. Mail scanners follow the links of a mail, so a GET changes nothing. */
  app.register(async (scope) => {
    // Mail programs send "List-Unsubscribe=One-Click" in either form (RFC 8058); only the token in the address counts.
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'string' },
      (_request, _body, done) => done(null, undefined),
    );
    const answerOf = (role: 'alert' | 'status', text: string, lang: Locale) =>
      `<p role="${role}">${text}</p><a class="button plain" href="/user/notices">${texts[lang].settings}</a>`;
    const form = (path: string, token: string, text: string, style: 'primary' | 'plain') =>
      `<form method="post" action="/api/front/notices/${path}token=${encodeURIComponent(token)}"><button class="${style}">${text}</button></form>`;
    /** Serves a page in the language of the user that `read` finds in a token; a link without one is no longer valid. */
    const pages = <Claims extends { user: number }>(
      path: 'stop' | 'confirm',
      read: (token: string) => Claims | undefined | Promise<Claims | undefined>,
      contents: Record<'GET' | 'POST', (claims: Claims, lang: Locale, query: TokenQuery) => string | Promise<string>>,
    ) => {
      for (const method of ['GET', 'POST'] as const)
        scope.route({
          method,
          url: `/api/front/notices/${path}`,
          schema: hidden,
          handler: async (request, reply) => {
            const query = request.query as TokenQuery;
            const claims = await read(query.token);
            const lang = claims ? await languageOf(claims.user) : request.locale;
            const { [path]: title, invalid } = texts[lang];
            const section = claims ? await contents[method](claims, lang, query) : answerOf('alert', invalid, lang);
            const body = `<h1>${title}</h1><section class="card">${section}</section>`;
            return htmlPage(claims ? reply : reply.code(404), { lang, title, body });
          },
        });
    };
    const languageOf = async (user: number): Promise<Locale> =>
      (await reads.row<{ locale: Locale }>('select locale from notice_settings where user_id = $1', [user]))?.locale ??
      'zh-CN';

    pages('stop', (token) => stopOf(config.secret, token), {
      GET: ({ kind }, lang, { token }) => {
        const { stopAbout, stopOne, stopAll } = texts[lang];
        return `<p>${stopAbout} <strong>${escapeHtml(textOf(kindOf(kind)?.title, lang))}</strong></p>
        ${form('stop?', token, stopOne, 'primary')}${form('stop?all=1&', token, stopAll, 'plain')}`;
      },
      POST: async ({ user, kind }, lang, { all }) => {
        await stopMails(db, user, all ? kindNames : [kind]);
        return answerOf('status', texts[lang].stopped, lang);
      },
    });
    pages('confirm', (token) => confirmationOf({ db: reads, config }, token), {
      GET: ({ email }, lang, { token }) => {
        const { confirmAbout, confirm } = texts[lang];
        return `<p>${confirmAbout} <strong>${escapeHtml(email)}</strong></p>${form('confirm?', token, confirm, 'primary')}`;
      },
      POST: async (confirmation, lang) => {
        await confirmEmail(db, confirmation);
        return answerOf('status', texts[lang].confirmed, lang);
      },
    });
  });
};
