import { del, get } from '@shop/shared/http';
import { listQueryOptions } from '@shop/shared/query';

const favourite = '/api/front/user/favourite';

/** Begins as the hearts' queries of other pages do, so that a change there refreshes this list. */
export const favouritesQuery = (language: string) =>
  listQueryOptions(['favourites', 'list', language], (page) => get(favourite, { page }, { quiet: true }));

export const removeFavourite = (goodsId: number) => del(favourite, { goods_id: goodsId });
