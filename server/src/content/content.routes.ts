import type { DomainRoutes } from '../context';
import { ok } from '../platform/http/envelope';
import { limitNetwork } from '../platform/http/rate-limit';
import { answer } from '../platform/http/schemas';
import {
  AppConfigSchema,
  ArticleListSchema,
  ArticleQuerySchema,
  ArticleSchema,
  BusinessAddAnswerSchema,
  BusinessAddBodySchema,
} from './content.schemas';
import { addEnquiry, appConfig, article, articles } from './content.service';

const ENQUIRIES_PER_HOUR = 10;

export const contentRoutes: DomainRoutes = async (app, { context: { db, tracing }, reads, responseCache }) => {
  const traced = tracing ? { tracing: true } : {};
  app.get('/api/front/app/config', { schema: { response: answer(AppConfigSchema) } }, (request, reply) =>
    responseCache.send(request, reply, ['config'], async () => ({
      data: { ...(await appConfig(reads, request.locale)), ...traced },
    })),
  );
  app.get('/api/front/article/all', { schema: { response: answer(ArticleListSchema) } }, (request, reply) =>
    responseCache.send(request, reply, ['articles'], () => articles(reads, request.locale)),
  );
  app.get(
    '/api/front/article/info',
    { schema: { querystring: ArticleQuerySchema, response: answer(ArticleSchema) } },
    (request, reply) =>
      responseCache.send(request, reply, ['article', request.query.id], () =>
        article(reads, request.query.id, request.locale),
      ),
  );
  app.post(
    '/api/front/business/add',
    { schema: { body: BusinessAddBodySchema, response: answer(BusinessAddAnswerSchema) } },
    async (request) => {
      await limitNetwork(db, { name: 'enquiry', address: request.ip, most: ENQUIRIES_PER_HOUR, seconds: 3600 });
      await addEnquiry(db, request.body, request.ip);
      return ok(request, { received: true });
    },
  );
};
