import { del, get } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

const sessions = '/api/front/user/sessions';

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async () => (await get(sessions, undefined, { quiet: true })).list,
});

export const endSession = (id: string) => del(sessions, { id });
export const endOtherSessions = () => del(`${sessions}/others`);
