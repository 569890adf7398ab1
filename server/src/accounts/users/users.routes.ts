import { Type } from 'typebox';
import type { DomainRoutes } from '../../context';
import { ok } from '../../platform/http/envelope';
import { signedIn, viewerOf } from '../../platform/http/request';
import { answer } from '../../platform/http/schemas';
import { deleteGameAccount, gameAccounts, saveGameAccount } from './game-accounts.service';
import {
  DeletedAnswerSchema,
  DeleteGameAccountQuerySchema,
  GameAccountQuerySchema,
  GameAccountSchema,
  SaveGameAccountBodySchema,
  UpdateUserBodySchema,
  UserInfoSchema,
} from './users.schemas';
import { updateUser, userInfo } from './users.service';

export const usersRoutes: DomainRoutes = async (app, { context, reads, personReads }) => {
  const { db } = context;
  personReads.serve(app, '/api/front/user/info', { data: UserInfoSchema }, (_query, { viewer, currency }) =>
    userInfo(reads, viewer, currency),
  );
  app.post(
    '/api/front/user/info',
    { ...signedIn, schema: { body: UpdateUserBodySchema, response: answer(UserInfoSchema) } },
    async (request) => {
      const viewer = viewerOf(request);
      await updateUser(context, viewer, request.body, request.locale);
      return ok(request, await userInfo(db, viewer, request.currency));
    },
  );
  app.get(
    '/api/front/user/gameAccount',
    { ...signedIn, schema: { querystring: GameAccountQuerySchema, response: answer(Type.Array(GameAccountSchema)) } },
    async (request) => ok(request, await gameAccounts(reads, viewerOf(request), request.query.goods_id)),
  );
  app.post(
    '/api/front/user/gameAccount',
    { ...signedIn, schema: { body: SaveGameAccountBodySchema, response: answer(GameAccountSchema) } },
    async (request) => {
      const viewer = viewerOf(request);
      return ok(request, await db.withTransaction((sql) => saveGameAccount(sql, viewer, request.body)));
    },
  );
  app.delete(
    '/api/front/user/gameAccount',
    { ...signedIn, schema: { querystring: DeleteGameAccountQuerySchema, response: answer(DeletedAnswerSchema) } },
    async (request) => ok(request, { deleted: await deleteGameAccount(db, viewerOf(request), request.query.id) }),
  );
};
