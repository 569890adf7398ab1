import type { DomainRoutes } from '../../context';
import { ok } from '../../platform/http/envelope';
import { signedIn, viewerOf } from '../../platform/http/request';
import { answer } from '../../platform/http/schemas';
import { viewOf } from '../../platform/http/view';
import {
  FavouriteBodySchema,
  FavouriteIdsSchema,
  FavouriteListQuerySchema,
  FavouritePageSchema,
  FavouriteQuerySchema,
  FavouriteStateSchema,
} from './favourites.schemas';
import { addFavourite, favouriteIds, favourites, removeFavourite } from './favourites.service';

export const favouritesRoutes: DomainRoutes = async (app, { context: { db }, reads }) => {
  app.get(
    '/api/front/user/favourite',
    { ...signedIn, schema: { querystring: FavouriteListQuerySchema, response: answer(FavouritePageSchema) } },
    async (request) => ok(request, await favourites(reads, viewerOf(request), request.query, viewOf(request))),
  );
  app.get(
    '/api/front/user/favourite/ids',
    { ...signedIn, schema: { response: answer(FavouriteIdsSchema) } },
    async (request) => ok(request, { goods_ids: await favouriteIds(reads, viewerOf(request)) }),
  );
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
