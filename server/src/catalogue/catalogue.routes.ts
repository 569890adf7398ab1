import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { DomainRoutes } from '../context';
import { ok } from '../platform/http/envelope';
import { limitNetwork } from '../platform/http/rate-limit';
import { answer } from '../platform/http/schemas';
import { SEARCH } from '../platform/response-cache/response-cache';
import { validateAccount } from './account-validation.service';
import {
  CategorySchema,
  ChannelQuerySchema,
  CustomModuleSchema,
  GoodsCountSchema,
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
import { MODULE_CHANNEL, SWIPER_CHANNEL } from './channels';
import { goodsInfo, withUsed } from './goods-detail.service';
import { goodsCounts, goodsList, isEmptySearch, listKey } from './goods-list.service';
import { hotWords, suggest } from './search.service';
import { normalise } from './search-text';
import { categories, customModules, swipers } from './storefront.service';
import { viewOf } from './view';

/** What a public response depends on apart from the language. */
const shelfOf = ({ currency, viewer }: FastifyRequest) => [currency, viewer?.isVip ?? false];

export const catalogueRoutes: DomainRoutes = async (app, { context, reads, responseCache }) => {
  app.get(
    '/api/front/swiper/list',
    { schema: { querystring: ChannelQuerySchema, response: answer(Type.Array(SwiperSchema)) } },
    (request, reply) => {
      const channel = request.query.channel ?? SWIPER_CHANNEL;
      return responseCache.send(request, reply, ['swipers', channel], () => swipers(reads, channel, request.locale));
    },
  );
  app.get(
    '/api/front/customModule/list',
    { schema: { querystring: ChannelQuerySchema, response: answer(Type.Array(CustomModuleSchema)) } },
    (request, reply) => {
      const channel = request.query.channel ?? MODULE_CHANNEL;
      const make = () => customModules(reads, channel, viewOf(request));
      return responseCache.send(request, reply, ['modules', channel, ...shelfOf(request)], make);
    },
  );
  app.get('/api/front/goods/category', { schema: { response: answer(Type.Array(CategorySchema)) } }, (request, reply) =>
    responseCache.send(request, reply, ['categories'], async () => ({ data: await categories(reads, request.locale) })),
  );
  app.get(
    '/api/front/goods/list',
    { schema: { querystring: GoodsListQuerySchema, response: answer(GoodsPageSchema) } },
    (request, reply) => {
      const make = () => goodsList(reads, request.query, viewOf(request));
      if (isEmptySearch(request.query)) return make().then(({ data }) => ok(request, data));
      const { keyword, key } = listKey(request.query);
      const kind = keyword ? SEARCH : 'list';
      return responseCache.send(request, reply, [kind, keyword, ...key, ...shelfOf(request)], make);
    },
  );
  app.get('/api/front/goods/counts', { schema: { response: answer(Type.Array(GoodsCountSchema)) } }, (request, reply) =>
    responseCache.send(request, reply, ['counts', ...shelfOf(request)], async () => ({
      data: await goodsCounts(reads, viewOf(request)),
    })),
  );
  app.get(
    '/api/front/goods/info',
    { schema: { querystring: GoodsInfoQuerySchema, response: answer(GoodsInfoSchema) } },
    (request, reply) => {
      const { id: goodsId } = request.query;
      const make = () => goodsInfo(reads, goodsId, viewOf(request));
      return responseCache.send(request, reply, ['goods', goodsId, ...shelfOf(request)], make, (data, viewer) =>
        withUsed(reads, data, viewer),
      );
    },
  );
  app.post(
    '/api/front/goods/validateAccount',
    { schema: { body: ValidateAccountBodySchema, response: answer(ValidateAccountAnswerSchema) } },
    async (request) => {
      await limitNetwork(context.db, { name: 'validate', address: request.ip, most: 60, seconds: 600 });
      return ok(request, await validateAccount(context, request.body.goods_id, request.body.fields, request.locale));
    },
  );
  app.get('/api/front/search/hot', { schema: { response: answer(SearchHotSchema) } }, (request, reply) =>
    responseCache.send(request, reply, ['hot'], async () => ({ data: await hotWords(reads, request.locale) })),
  );
  app.get(
    '/api/front/search/suggest',
    { schema: { querystring: SearchSuggestQuerySchema, response: answer(SearchSuggestSchema) } },
    (request, reply) => {
      const { keyword } = request.query;
      const key = [SEARCH, 'suggest', normalise(keyword), ...shelfOf(request)];
      return responseCache.send(request, reply, key, () => suggest(reads, keyword, viewOf(request)));
    },
  );
};
