import type { DomainRoutes } from '../context';
import { callsOf } from '../platform/http/calls';
import { limitNetwork } from '../platform/http/rate-limit';
import { AppConfigSchema, ArticleListSchema, articleCall, businessAddCall } from './content.schemas';
import { addEnquiry, appConfig, article, articles } from './content.service';

const ENQUIRIES_PER_HOUR = 10;

export const contentRoutes: DomainRoutes = async (
  app,
  { context: { db, tracing, config, providers }, reads, publicReads },
) => {
  const { guest } = callsOf(app);
  const fromSettings = {
    ...(tracing ? { tracing: true } : {}),
    ...(providers.mail ? { email_sign_in: true } : {}),
    ...(config.phoneCountries ? { phone_countries: [...config.phoneCountries] } : {}),
  };
  publicReads.serve(app, '/api/front/app/config', { data: AppConfigSchema }, (_, { locale }) => ({
    dependsOn: ['config'],
    load: async () => ({ data: { ...(await appConfig(reads, locale)), ...fromSettings } }),
  }));
  publicReads.serve(app, '/api/front/article/all', { data: ArticleListSchema }, (_, { locale }) => ({
    dependsOn: ['articles'],
    load: () => articles(reads, locale),
  }));
  publicReads.serve(app, '/api/front/article/info', articleCall, ({ id }, { locale }) => ({
    dependsOn: ['article', id],
    load: () => article(reads, id, locale),
  }));
  guest.post('/api/front/business/add', businessAddCall, async ({ body, request }) => {
    await limitNetwork(db, { name: 'enquiry', address: request.ip, most: ENQUIRIES_PER_HOUR });
    await addEnquiry(db, body, request.ip);
    return { received: true };
  });
};
