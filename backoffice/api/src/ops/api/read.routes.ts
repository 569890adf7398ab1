import { history, releases, status, verify } from '@platform/releases';
import type { App } from '@shop/server/platform/http/request';
import { ApiError } from './api-error';
import {
  answers,
  HealthQuerySchema,
  HistoryQuerySchema,
  ReleasesQuerySchema,
  StatusQuerySchema,
  tags,
  VerifyQuerySchema,
} from './ops-api.schemas';
import type { ReleaseApi } from './release-api';

export function readRoutes(app: App, api: ReleaseApi): void {
  const { channelOf } = api;
  const { store, server, health } = api.options;
  const schema = { tags, response: answers };
  app.get('/identity', { schema }, async (request) => ({ result: api.callerOf(request) }));
  app.get('/status', { schema: { ...schema, querystring: StatusQuerySchema } }, async ({ query }) => ({
    result: await status(store, channelOf(query)),
  }));
  app.get('/releases', { schema: { ...schema, querystring: ReleasesQuerySchema } }, async ({ query }) => ({
    result: await releases(store, { ...query, channel: channelOf(query) }),
  }));
  app.get('/history', { schema: { ...schema, querystring: HistoryQuerySchema } }, async ({ query }) => ({
    result: await history(store, { ...query, channel: channelOf(query) }),
  }));
  app.get('/health', { schema: { ...schema, querystring: HealthQuerySchema } }, async (request) => {
    const { role, remotes = [] } = api.callerOf(request);
    const { name } = request.query;
    const names = role === 'squad' ? remotes : undefined;
    if (name && names && !names.includes(name))
      throw new ApiError(
        'forbidden',
        403,
        `this key sees the health of ${names.join(', ') || 'nothing'}, not of ${name}`,
      );
    const report = await health?.(name ? [name] : names);
    if (!report) throw new ApiError('failed', 503, 'health is unknown: the database does not answer, or there is none');
    return { result: report };
  });
  app.get('/verify', { schema: { ...schema, querystring: VerifyQuerySchema } }, async ({ query }) => ({
    result: await verify(store, { ...query, channel: channelOf(query), server }),
  }));
}
