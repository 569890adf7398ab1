import type {
  LoginBody,
  RegisterBody,
  SendCodeAnswer,
  SendCodeBody,
  SetPasswordBody,
  TokenAnswer,
} from '@shop/server/wire';
import { post } from '@shop/shared/http';

// The forms show the refusals.
const quiet = { quiet: true };

export const login = (body: LoginBody): Promise<TokenAnswer> => post('/api/front/app/login', body, quiet);
export const register = (body: RegisterBody): Promise<TokenAnswer> => post('/api/front/app/register', body, quiet);
export const sendCode = (body: SendCodeBody): Promise<SendCodeAnswer> => post('/api/front/app/send_code', body, quiet);
export const setPassword = (body: SetPasswordBody): Promise<unknown> => post('/api/front/app/setPassword', body, quiet);
