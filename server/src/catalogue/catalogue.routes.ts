import { Type } from 'typebox';
import type { DomainRoutes } from '../context';
import { callsOf } from '../platform/http/calls';
import { limitNetwork } from '../platform/http/rate-limit';
import type { View } from '../platform/http/request';
import { SEARCH } from '../platform/response-cache/response-cache';
import { channelsOf } from '../providers/providers';
import { validateAccount } from './account-validation.service';
import {
  CategorySchema,
  GoodsCountSchema,
  goodsInfoCall,
  goodsListCall,
  modulesCall,
  SearchHotSchema,
  suggestCall,
  swipersCall,
  validateAccountCall,
} from './catalogue.schemas';
import { goodsInfo, withUsed } from './goods-detail.service';
import { goodsCounts, goodsList, hotWords, isEmptySearch, listKey, suggest } from './goods-list.service';
import { categories, customModules, MODULE_CHANNEL, SWIPER_CHANNEL, swipers } from './storefront.store';

const shelfOf = ({ currency, viewer }: View) => [currency, viewer?.isVip ?? false];

export const catalogueRoutes: DomainRoutes = async (app, { context, reads, publicReads }) => {
  const { guest } = callsOf(app);
  const notifiesStock = channelsOf(context.providers).length > 0;
  publicReads.serve(app, '/api/front/swiper/list', swipersCall, ({ channel = SWIPER_CHANNEL }, { locale }) => ({
    dependsOn: ['swipers', channel],
    load: () => swipers(reads, channel, locale),
  }));
  publicReads.serve(app, '/api/front/customModule/list', modulesCall, ({ channel = MODULE_CHANNEL }, view) => ({
    dependsOn: ['modules', channel, ...shelfOf(view)],
    load: () => customModules(reads, channel, view),
  }));
  publicReads.serve(app, '/api/front/goods/category', { data: Type.Array(CategorySchema) }, (_, { locale }) => ({
    dependsOn: ['categories'],
    load: async () => ({ data: await categories(reads, locale) }),
  }));
  publicReads.serve(app, '/api/front/goods/list', goodsListCall, (query, view) => {
    const { keyword, key } = listKey(query);
    const kind = isEmptySearch(query) ? [SEARCH, 'empty'] : [keyword ? SEARCH : 'list', keyword];
    return { dependsOn: [...kind, ...key, ...shelfOf(view)], load: () => goodsList(reads, query, view) };
  });
  publicReads.serve(app, '/api/front/goods/counts', { data: Type.Array(GoodsCountSchema) }, (_, view) => ({
    dependsOn: ['counts', ...shelfOf(view)],
    load: async () => ({ data: await goodsCounts(reads, view) }),
  }));
  publicReads.serve(app, '/api/front/goods/info', goodsInfoCall, ({ id }, view) => ({
    dependsOn: ['goods', id, ...shelfOf(view)],
    load: () => goodsInfo(reads, id, view, notifiesStock),
    personalise: (data, viewer) => withUsed(reads, data, viewer),
  }));
  publicReads.serve(app, '/api/front/search/hot', { data: SearchHotSchema }, (_, { locale }) => ({
    dependsOn: ['hot'],
    load: async () => ({ data: await hotWords(reads, locale) }),
  }));
  publicReads.serve(app, '/api/front/search/suggest', suggestCall, ({ keyword }, view) => ({
    dependsOn: [SEARCH, 'suggest', listKey({ keyword }).keyword, ...shelfOf(view)],
    load: () => suggest(reads, keyword, view),
  }));
  guest.post('/api/front/goods/validateAccount', validateAccountCall, async ({ body, locale, request }) => {
    await limitNetwork(context.db, { name: 'validate', address: request.ip, most: 60, seconds: 600 });
    return validateAccount(context, body.goods_id, body.fields, locale);
  });
};
