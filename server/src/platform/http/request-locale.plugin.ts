import { ErrorCode } from '@shop/shared/domain';
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { ShopError } from './errors';

/** Reads the headers Locale and Currency. An unknown language becomes Chinese; an unknown currency is refused. */
export const requestLocale = fastifyPlugin(async (app: FastifyInstance) => {
  app.decorateRequest('locale', 'zh-CN');
  app.decorateRequest('currency', 'CNY');
  app.addHook('onRequest', (request, _reply, done) => {
    const { locale, currency } = request.headers;
    request.locale = locale === 'en' ? 'en' : 'zh-CN';
    request.currency = request.locale === 'en' ? 'USD' : 'CNY';
    if (currency !== undefined && request.url.startsWith('/api/front/')) {
      if (currency !== 'CNY' && currency !== 'USD') return done(new ShopError(ErrorCode.CurrencyNotOffered));
      request.currency = currency;
    }
    done();
  });
});
