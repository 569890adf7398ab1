import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { backOffice } from '@shop/backoffice';
import type { RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { buildApp } from '../../src/app';
import { readConfig } from '../../src/config';
import { Keyring } from '../../src/platform/crypto/keyring';
import type { Database } from '../../src/platform/db/database';
import { createProviders } from '../../src/providers/create-providers';

export interface ApiRoute {
  method: string;
  url: string;
  body?: TSchema;
  query?: TSchema;
  params?: TSchema;
  data?: TSchema;
  access: 'guest' | 'user';
  idempotent: boolean;
  retires?: string;
}

/** What the tests read of a JSON Schema. */
export interface Shape {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: TSchema[];
  items?: TSchema;
  maxItems?: number;
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
  required?: string[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  /** The date from which the field may be removed; used with `deprecated: true`. */
  retires?: string;
}

export type Api = Awaited<ReturnType<typeof readApi>>;
interface OpenApiCall {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

/** A context for an application that only lists its routes, because its database answers nothing. */
export function contextWithoutDatabase(dataDir: string) {
  const config = readConfig({ dataDir, env: {} });
  const db = { as: () => db } as unknown as Database;
  return { db, config, keyring: new Keyring(config.cardKeys), providers: createProviders(config) };
}

export async function readApi() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-routes-'));
  const routes: RouteOptions[] = [];
  const onRoute = (route: RouteOptions) => routes.push(route);
  const app = await buildApp({ ...contextWithoutDatabase(folder), plugins: backOffice().plugins, onRoute });
  await app.ready();
  const document = (app as unknown as { swagger(): { paths: Record<string, Record<string, OpenApiCall>> } }).swagger();
  await app.close();
  fs.rmSync(folder, { recursive: true, force: true });
  return { routes: routes.filter(isCall).map(toApiRoute), document };
}

/** Excludes the pages that mails link to, because they return HTML. */
const isPage = ({ url }: RouteOptions) => url.startsWith('/api/front/notices/');
const isCall = (route: RouteOptions) =>
  route.url.startsWith('/api/') && route.url !== '/api/*' && route.method !== 'HEAD' && !isPage(route);

function toApiRoute({ method, url, schema, config }: RouteOptions): ApiRoute {
  const { body, querystring, params, response } = (schema ?? {}) as Record<string, TSchema | undefined>;
  const { access = 'guest', idempotent = false, retires } = (config ?? {}) as Partial<ApiRoute>;
  const envelope = (response as unknown as Record<string, { properties: { data: TSchema } }> | undefined)?.[200];
  return {
    method: String(method),
    url,
    body,
    query: querystring,
    params,
    data: envelope?.properties.data,
    access,
    idempotent,
    retires,
  };
}
