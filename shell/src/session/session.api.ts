import type { LoginBody, RegisterBody, SendCodeAnswer, SendCodeBody, TokenAnswer, UserInfo } from '@shop/server/wire';
import { get, post } from '@shop/shared/http';

export const login = (body: LoginBody): Promise<TokenAnswer> => post('/api/front/app/login', body);
export const register = (body: RegisterBody): Promise<TokenAnswer> => post('/api/front/app/register', body);
export const sendCode = (body: SendCodeBody): Promise<SendCodeAnswer> => post('/api/front/app/send_code', body);
export const revokeToken = (): Promise<unknown> => post('/api/front/app/logout', undefined, { quiet: true });
export const fetchUser = (): Promise<UserInfo> => get('/api/front/user/info', undefined, { quiet: true });
