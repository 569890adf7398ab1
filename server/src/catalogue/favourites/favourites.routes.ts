import type { DomainRoutes } from '../../context';
import { callsOf } from '../../platform/http/calls';
import {
  FavouriteBodySchema,
  FavouriteIdsSchema,
  FavouriteListQuerySchema,
  FavouritePageSchema,
  FavouriteQuerySchema,
  FavouriteStateSchema,
} from './favourites.schemas';
import { addFavourite, favouriteIds, favourites, removeFavourite } from './favourites.service';

export const favouritesRoutes: DomainRoutes = async (app, { context: { db }, reads, userReads }) => {
  const { user } = callsOf(app);
  userReads.serve(
    app,
    '/api/front/user/favourite',
    { query: FavouriteListQuerySchema, data: FavouritePageSchema },
    (query, view) => favourites(reads, view.viewer, query, view),
  );
  userReads.serve(app, '/api/front/user/favourite/ids', { data: FavouriteIdsSchema }, async (_query, { viewer }) => ({
    goods_ids: await favouriteIds(reads, viewer),
  }));
  user.post(
    '/api/front/user/favourite',
    { body: FavouriteBodySchema, data: FavouriteStateSchema },
    async ({ viewer, body: { goods_id } }) => {
      await addFavourite(db, viewer, goods_id);
      return { goods_id, favourite: true };
    },
  );
  user.delete(
    '/api/front/user/favourite',
    { query: FavouriteQuerySchema, data: FavouriteStateSchema },
    async ({ viewer, query: { goods_id } }) => {
      await removeFavourite(db, viewer, goods_id);
      return { goods_id, favourite: false };
    },
  );
};
