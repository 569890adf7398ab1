import type { DomainRoutes } from '../../context';
import { ok } from '../../platform/http/envelope';
import { signedIn, viewerOf } from '../../platform/http/request';
import { answer } from '../../platform/http/schemas';
import {
  FavouriteBodySchema,
  FavouriteIdsSchema,
  FavouriteListQuerySchema,
  FavouritePageSchema,
  FavouriteQuerySchema,
  FavouriteStateSchema,
} from './favourites.schemas';
import { addFavourite, favouriteIds, favourites, removeFavourite } from './favourites.service';

export const favouritesRoutes: DomainRoutes = async (app, { context: { db }, reads, personReads }) => {
  personReads.serve(
    app,
    '/api/front/user/favourite',
    { query: FavouriteListQuerySchema, data: FavouritePageSchema },
    (query, view) => favourites(reads, view.viewer, query, view),
  );
  personReads.serve(app, '/api/front/user/favourite/ids', { data: FavouriteIdsSchema }, async (_query, { viewer }) => ({
    goods_ids: await favouriteIds(reads, viewer),
  }));
  app.post(
    '/api/front/user/favourite',
    { ...signedIn, schema: { body: FavouriteBodySchema, response: answer(FavouriteStateSchema) } },
    async (request) => {
      const { goods_id } = request.body;
      await addFavourite(db, viewerOf(request), goods_id);
      return ok(request, { goods_id, favourite: true });
    },
  );
  app.delete(
    '/api/front/user/favourite',
    { ...signedIn, schema: { querystring: FavouriteQuerySchema, response: answer(FavouriteStateSchema) } },
    async (request) => {
      const { goods_id } = request.query;
      await removeFavourite(db, viewerOf(request), goods_id);
      return ok(request, { goods_id, favourite: false });
    },
  );
};
