import { Type } from 'typebox';
import type { DomainRoutes } from '../context';
import { ok } from '../platform/http/envelope';
import { escapeHtml, htmlPage } from '../platform/http/html';
import { textOf } from '../platform/http/localised-text';
import { signedIn, viewerOf } from '../platform/http/request';
import { answer, type Locale } from '../platform/http/schemas';
import { channelsOf } from '../providers/channels';
import { kindNames, kindOf } from './notice-kinds';
import {
  ConfirmationSentSchema,
  NoticeSettingsBodySchema,
  NoticeSettingsSchema,
  PushSubscriptionBodySchema,
  StockWishBodySchema,
  StockWishesSchema,
  StockWishQuerySchema,
  StockWishStateSchema,
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
    back: '前往商城',
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
    back: 'To the shop',
    settings: 'Notice settings',
  },
} as const satisfies Record<Locale, Record<string, string>>;

const TokenQuerySchema = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 600 }),
  all: Type.Optional(Type.Literal('1')),
});
const hidden = { querystring: TokenQuerySchema, hide: true };

export const noticesRoutes: DomainRoutes = async (app, { context, reads, personReads }) => {
  const { db, config, providers } = context;
  const settings = '/api/front/user/notices';
  personReads.serve(app, settings, { data: NoticeSettingsSchema }, (_query, { viewer, locale }) =>
    noticeSettings({ db: reads, providers }, viewer, locale),
  );
  app.post(
    settings,
    { ...signedIn, schema: { body: NoticeSettingsBodySchema, response: answer(NoticeSettingsSchema) } },
    async (request) => {
      const viewer = viewerOf(request);
      if (channelsOf(providers).length > 0) await saveNoticeSettings(db, viewer.id, request.body, request.locale);
      return ok(request, await noticeSettings(context, viewer, request.locale));
    },
  );
  app.post(
    `${settings}/email`,
    { ...signedIn, schema: { response: answer(ConfirmationSentSchema) } },
    async (request) =>
      ok(request, { address: await sendConfirmation(context, viewerOf(request), request.locale, request.ip) }),
  );
  app.post(
    `${settings}/push`,
    { ...signedIn, schema: { body: PushSubscriptionBodySchema, response: answer(NoticeSettingsSchema) } },
    async (request) => {
      const viewer = viewerOf(request);
      await addBrowser(context, viewer, request.body, request.locale);
      return ok(request, await noticeSettings(context, viewer, request.locale));
    },
  );
  app.delete(
    `${settings}/push`,
    { ...signedIn, schema: { response: answer(NoticeSettingsSchema) } },
    async (request) => {
      const viewer = viewerOf(request);
      await removeBrowser(db, viewer);
      return ok(request, await noticeSettings(context, viewer, request.locale));
    },
  );

  const wish = '/api/front/user/stockWish';
  app.get(
    wish,
    { ...signedIn, schema: { querystring: StockWishQuerySchema, response: answer(StockWishesSchema) } },
    async (request) => ok(request, { spec_ids: await stockWishes(reads, viewerOf(request), request.query.goods_id) }),
  );
  app.post(
    wish,
    { ...signedIn, schema: { body: StockWishBodySchema, response: answer(StockWishStateSchema) } },
    async (request) =>
      ok(request, await addStockWish(context, viewerOf(request), request.body.spec_id, request.locale)),
  );
  app.delete(
    wish,
    { ...signedIn, schema: { querystring: StockWishBodySchema, response: answer(StockWishStateSchema) } },
    async (request) => {
      const { spec_id } = request.query;
      await removeStockWish(db, viewerOf(request), spec_id);
      return ok(request, { spec_id, waiting: false, channels: [] });
    },
  );

  /** Pages that mails lead to. Programs follow the links of a mail, so a GET changes nothing. */
  app.register(async (scope) => {
    // Mail programs send "List-Unsubscribe=One-Click" in either form (RFC 8058); what counts is the token in the address.
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'string' },
      (_request, _body, done) => done(null, undefined),
    );
    const pageOf = (lang: Locale, title: string, content: string) => ({
      lang,
      title,
      narrow: true,
      body: `<h1>${title}</h1><section class="card">${content}</section>`,
    });
    const languageOf = async (user: number): Promise<Locale> =>
      (await reads.row<{ locale: Locale }>('select locale from notice_settings where user_id = $1', [user]))?.locale ??
      'zh-CN';
    const invalid = (title: 'stop' | 'confirm', lang: Locale) => {
      const text = texts[lang];
      return pageOf(lang, text[title], `<p role="alert">${text.invalid}</p>${link('/user/notices', text.settings)}`);
    };
    const link = (path: string, text: string) => `<a class="button plain" href="${path}">${text}</a>`;
    const form = (path: string, token: string, text: string, look: 'primary' | 'plain') =>
      `<form method="post" action="/api/front/notices/${path}token=${encodeURIComponent(token)}"><button class="${look}">${text}</button></form>`;

    scope.get('/api/front/notices/stop', { schema: hidden }, async (request, reply) => {
      const { token } = request.query as { token: string };
      const stop = stopOf(config.secret, token);
      if (!stop) return htmlPage(reply.code(404), invalid('stop', request.locale));
      const lang = await languageOf(stop.user);
      const text = texts[lang];
      const title = textOf(kindOf(stop.kind)?.title, lang);
      const body = `<p>${text.stopAbout} <strong>${escapeHtml(title)}</strong></p>
        ${form('stop?', token, text.stopOne, 'primary')}${form('stop?all=1&', token, text.stopAll, 'plain')}`;
      return htmlPage(reply, pageOf(lang, text.stop, body));
    });
    scope.post('/api/front/notices/stop', { schema: hidden }, async (request, reply) => {
      const { token, all } = request.query as { token: string; all?: '1' };
      const stop = stopOf(config.secret, token);
      if (!stop) return htmlPage(reply.code(404), invalid('stop', request.locale));
      await stopMails(db, stop.user, all ? kindNames : [stop.kind]);
      const lang = await languageOf(stop.user);
      const text = texts[lang];
      const body = `<p role="status">${text.stopped}</p>${link('/user/notices', text.settings)}`;
      return htmlPage(reply, pageOf(lang, text.stop, body));
    });
    scope.get('/api/front/notices/confirm', { schema: hidden }, async (request, reply) => {
      const { token } = request.query as { token: string };
      const confirmation = await confirmationOf({ db: reads, config }, token);
      if (!confirmation) return htmlPage(reply.code(404), invalid('confirm', request.locale));
      const lang = await languageOf(confirmation.user);
      const text = texts[lang];
      const body = `<p>${text.confirmAbout} <strong>${escapeHtml(confirmation.email)}</strong></p>
        ${form('confirm?', token, text.confirm, 'primary')}`;
      return htmlPage(reply, pageOf(lang, text.confirm, body));
    });
    scope.post('/api/front/notices/confirm', { schema: hidden }, async (request, reply) => {
      const { token } = request.query as { token: string };
      const confirmation = await confirmationOf(context, token);
      if (!confirmation) return htmlPage(reply.code(404), invalid('confirm', request.locale));
      await confirmEmail(db, confirmation);
      const lang = await languageOf(confirmation.user);
      const text = texts[lang];
      const body = `<p role="status">${text.confirmed}</p>${link('/user/notices', text.settings)}`;
      return htmlPage(reply, pageOf(lang, text.confirm, body));
    });
  });
};
