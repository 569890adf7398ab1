import type { DomainRoutes } from '../../context';
import { callsOf } from '../../platform/http/calls';
import {
  deleteGameAccountCall,
  gameAccountsCall,
  saveGameAccountCall,
  UserInfoSchema,
  updateUserCall,
} from './users.schemas';
import { deleteGameAccount, gameAccounts, saveGameAccount, updateUser, userInfo } from './users.service';

export const usersRoutes: DomainRoutes = async (app, { context, reads, userReads }) => {
  const { user } = callsOf(app);
  const { db } = context;
  userReads.serve(app, '/api/front/user/info', { data: UserInfoSchema }, (_query, { viewer, currency }) =>
    userInfo(reads, viewer, currency),
  );
  user.post('/api/front/user/info', updateUserCall, async ({ viewer, body, locale, currency }) => {
    await updateUser(context, viewer, body, locale);
    return userInfo(db, viewer, currency);
  });
  user.get('/api/front/user/gameAccount', gameAccountsCall, async ({ viewer, query }) =>
    gameAccounts(reads, viewer, query.goods_id),
  );
  user.post('/api/front/user/gameAccount', saveGameAccountCall, async ({ viewer, body }) => {
    return db.withTransaction((sql) => saveGameAccount(sql, viewer, body));
  });
  user.delete('/api/front/user/gameAccount', deleteGameAccountCall, async ({ viewer, query }) => ({
    deleted: await deleteGameAccount(db, viewer, query.id),
  }));
};
