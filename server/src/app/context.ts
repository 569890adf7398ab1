import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { Keyring } from '../crypto/keyring';
import type { Database } from '../db/database';
import type { Providers } from '../providers/providers';
import type { Config } from './config';
import { messageOf, ShopError } from './errors';
import type { Currency, Envelope, Locale, Page } from './schema';

/** What every domain is given. */
export interface Shop {
  db: Database;
  config: Config;
  keyring: Keyring;
  providers: Providers;
}

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

declare module 'fastify' {
  interface FastifyRequest {
    locale: Locale;
    /** Of the Currency header; CNY for zh-CN and USD for en without one. */
    currency: Currency;
    /** The signed-in person; undefined for a guest. */
    viewer: Viewer | undefined;
    /** Code of the answer, for the log line. */
    shopCode: number;
  }
  interface FastifyContextConfig {
    /** Whom the route serves; "guest" is the default. */
    access?: 'guest' | 'user';
    /** Requires an Idempotency-Key. */
    idempotent?: boolean;
  }
}

export const signedIn = { config: { access: 'user' } } as const;
export const signedInOnce = { config: { access: 'user', idempotent: true } } as const;

/** The signed-in person of a route with access "user". */
export function viewerOf(request: FastifyRequest): Viewer {
  if (!request.viewer) throw new ShopError(401);
  return request.viewer;
}

export function ok<T>(request: FastifyRequest, data: T): Envelope<T> {
  return { code: 200, message: messageOf(200, request.locale), data, request_id: request.id };
}

export interface Paging {
  page: number;
  limit: number;
  offset: number;
}
export function pagingOf(query: { page?: number; limit?: number }): Paging {
  const { page = 1, limit = 20 } = query;
  return { page, limit, offset: (page - 1) * limit };
}
export function pageOf<T>(list: T[], total: number, { page, limit }: Paging): Page<T> {
  return { list, total, page, limit, has_more: page * limit < total };
}

/** Column suffix of the request's language: name_zh, name_en. */
export const suffixOf = (locale: Locale) => (locale === 'en' ? 'en' : 'zh');

export interface Texts {
  'zh-CN': string;
  en: string;
}
export const textOf = (texts: Texts | null | undefined, locale: Locale) => texts?.[locale] || texts?.['zh-CN'] || '';
