import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { ErrorCode } from '@shop/shared/domain';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { ShopError } from './errors';
import type { Currency, Locale } from './schemas';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export interface Viewer {
  id: number;
  isVip: boolean;
  tokenHash: Buffer;
}

export interface RequestLocale {
  locale: Locale;
  currency: Currency;
}

export interface View extends RequestLocale {
  viewer: Viewer | undefined;
}

/** A copy, because functions in the response cache would keep the whole request in memory. */
export const viewOf = ({ locale, currency, viewer }: FastifyRequest): View => ({ locale, currency, viewer });

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server is stopping: it still responds, and is not ready for more. */
    isStopping: boolean;
  }
  interface FastifyRequest {
    locale: Locale;
    /** From the Currency header; by default CNY for zh-CN and USD for en. */
    currency: Currency;
    viewer: Viewer | undefined;
    shopCode: number;
  }
  interface FastifyContextConfig {
    /** The users of the route; "guest" is the default. */
    access?: 'guest' | 'user';
    idempotent?: boolean;
    /** From this date on the call may be removed: '2027-01-31'. Its schema must set `deprecated: true`. */
    retires?: string;
  }
}

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

export function viewerOf(request: FastifyRequest): Viewer {
  if (!request.viewer) throw new ShopError(ErrorCode.Unauthorized);
  return request.viewer;
}
