import { type Static, Type } from 'typebox';
import { ofLines } from '../platform/http/body-validator';
import { EmailSchema, TimeSchema } from '../platform/http/schemas';

const ArticleIdSchema = Type.String({ minLength: 1, maxLength: 60, pattern: '^[a-z0-9-]+$' });
export const ArticleListSchema = Type.Array(Type.Object({ id: Type.String(), title: Type.String() }));
export type ArticleList = Static<typeof ArticleListSchema>;
export const ArticleQuerySchema = Type.Object({ id: ArticleIdSchema });
export const ArticleSchema = Type.Object({
  id: Type.String(),
  title: Type.String(),
  /** Sanitised HTML. */
  content: Type.String(),
  updated_at: TimeSchema,
});
export type Article = Static<typeof ArticleSchema>;
export const articleCall = { query: ArticleQuerySchema, data: ArticleSchema };

/** Some fields appear in two spellings (docs/product.md#content). */
export const AppConfigSchema = Type.Object({
  logo: Type.String(),
  brand: Type.String(),
  customerQrcode: Type.String(),
  customer_qrcode: Type.String(),
  workTime: Type.String(),
  work_time: Type.String(),
  customerLink: Type.String(),
  customer_link: Type.String(),
  icp: Type.String(),
  copyright: Type.String(),
  sms: Type.String(),
  game_website_url: Type.String(),
  social: Type.Array(Type.Object({ name: Type.String(), icon: Type.String(), url: Type.String() })),
  appId: Type.String(),
  /** ISO 3166 countries whose phone numbers are accepted; absent: all countries. */
  phone_countries: Type.Optional(Type.Array(Type.String())),
  email_sign_in: Type.Optional(Type.Boolean()),
  tracing: Type.Optional(Type.Boolean()),
});
export type AppConfig = Static<typeof AppConfigSchema>;

export const BusinessAddBodySchema = Type.Object({
  company: Type.String({ minLength: 1, maxLength: 80 }),
  contact: Type.String({ minLength: 1, maxLength: 40 }),
  phone: Type.String({ minLength: 5, maxLength: 24, pattern: '^[0-9+() -]+$' }),
  email: Type.Optional(EmailSchema),
  type: Type.String({ minLength: 1, maxLength: 40 }),
  content: Type.String({ minLength: 1, maxLength: 2000, ...ofLines }),
});
export type BusinessAddBody = Static<typeof BusinessAddBodySchema>;
export const BusinessAddAnswerSchema = Type.Object({ received: Type.Boolean() });
export const businessAddCall = { body: BusinessAddBodySchema, data: BusinessAddAnswerSchema };
