import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type App, ok, type Shop } from '../app/context';
import { limitRate } from '../app/rate-limit';
import { answer } from '../app/schema';
import {
  CategorySchema,
  ChannelQuerySchema,
  CustomModuleSchema,
  GoodsInfoQuerySchema,
  GoodsInfoSchema,
  GoodsListQuerySchema,
  GoodsPageSchema,
  SearchHotSchema,
  SearchSuggestQuerySchema,
  SearchSuggestSchema,
  SwiperSchema,
  ValidateAccountAnswerSchema,
  ValidateAccountBodySchema,
} from './catalogue.schemas';
import {
  categories,
  customModules,
  goodsInfo,
  goodsList,
  hotWords,
  suggest,
  swipers,
  type View,
  validateAccount,
} from './catalogue.service';

const viewOf = ({ locale, currency, viewer }: FastifyRequest): View => ({ locale, currency, viewer });
/** The channels of the mobile shop: carousel 4 "new mobile", zones 3 "new mobile". */
const SWIPER_CHANNEL = 4;
const MODULE_CHANNEL = 3;

export function catalogueRoutes(app: App, shop: Shop): void {
  const { db } = shop;
  app.get(
    '/api/front/swiper/list',
    { schema: { querystring: ChannelQuerySchema, response: answer(Type.Array(SwiperSchema)) } },
    async (request) => ok(request, await swipers(db, request.query.channel ?? SWIPER_CHANNEL, request.locale)),
  );
  app.get(
    '/api/front/customModule/list',
    { schema: { querystring: ChannelQuerySchema, response: answer(Type.Array(CustomModuleSchema)) } },
    async (request) => ok(request, await customModules(db, request.query.channel ?? MODULE_CHANNEL, viewOf(request))),
  );
  app.get('/api/front/goods/category', { schema: { response: answer(Type.Array(CategorySchema)) } }, async (request) =>
    ok(request, await categories(db, request.locale)),
  );
  app.get(
    '/api/front/goods/list',
    { schema: { querystring: GoodsListQuerySchema, response: answer(GoodsPageSchema) } },
    async (request) => ok(request, await goodsList(db, request.query, viewOf(request))),
  );
  app.get(
    '/api/front/goods/info',
    { schema: { querystring: GoodsInfoQuerySchema, response: answer(GoodsInfoSchema) } },
    async (request) => ok(request, await goodsInfo(db, request.query.id, viewOf(request))),
  );
  app.post(
    '/api/front/goods/validateAccount',
    { schema: { body: ValidateAccountBodySchema, response: answer(ValidateAccountAnswerSchema) } },
    async (request) => {
      await limitRate(db, `validate:${request.ip}`, 60, 600);
      return ok(request, await validateAccount(shop, request.body.goods_id, request.body.fields, request.locale));
    },
  );
  app.get('/api/front/search/hot', { schema: { response: answer(SearchHotSchema) } }, async (request) =>
    ok(request, await hotWords(db, request.locale)),
  );
  app.get(
    '/api/front/search/suggest',
    { schema: { querystring: SearchSuggestQuerySchema, response: answer(SearchSuggestSchema) } },
    async (request) => ok(request, await suggest(db, request.query.keyword, viewOf(request))),
  );
}
