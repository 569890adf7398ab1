import { Type } from 'typebox';
import type { DomainRoutes } from '../../context';
import { callsOf } from '../../platform/http/calls';
import {
  DeletedAnswerSchema,
  DeleteGameAccountQuerySchema,
  GameAccountQuerySchema,
  GameAccountSchema,
  SaveGameAccountBodySchema,
  UpdateUserBodySchema,
  UserInfoSchema,
} from './users.schemas';
import { deleteGameAccount, gameAccounts, saveGameAccount, updateUser, userInfo } from './users.service';

export const usersRoutes: DomainRoutes = async (app, { context, reads, userReads }) => {
  const { user } = callsOf(app);
  const { db } = context;
  userReads.serve(app, '/api/front/user/info', { data: UserInfoSchema }, (_query, { viewer, currency }) =>
    userInfo(reads, viewer, currency),
  );
  user.post(
    '/api/front/user/info',
    { body: UpdateUserBodySchema, data: UserInfoSchema },
    async ({ viewer, body, locale, currency }) => {
      await updateUser(context, viewer, body, locale);
      return userInfo(db, viewer, currency);
    },
  );
  user.get(
    '/api/front/user/gameAccount',
    { query: GameAccountQuerySchema, data: Type.Array(GameAccountSchema) },
    async ({ viewer, query }) => gameAccounts(reads, viewer, query.goods_id),
  );
  user.post(
    '/api/front/user/gameAccount',
    { body: SaveGameAccountBodySchema, data: GameAccountSchema },
    async ({ viewer, body }) => {
      return db.withTransaction((sql) => saveGameAccount(sql, viewer, body));
    },
  );
  user.delete(
    '/api/front/user/gameAccount',
    { query: DeleteGameAccountQuerySchema, data: DeletedAnswerSchema },
    async ({ viewer, query }) => ({ deleted: await deleteGameAccount(db, viewer, query.id) }),
  );
};
