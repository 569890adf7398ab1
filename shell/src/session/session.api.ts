import type { UserInfo } from '@shop/server/wire';
import { get, post } from '@shop/shared/http';

export const revokeToken = (): Promise<unknown> => post('/api/front/app/logout', undefined, { quiet: true });
export const fetchUser = (): Promise<UserInfo> => get('/api/front/user/info', undefined, { quiet: true });
