import type { LoginBody, RegisterBody, SendCodeBody, SetPasswordBody } from '@shop/server/wire';
import { post } from '@shop/shared/http';

// The forms show the refusals.
const quiet = { quiet: true };

export const login = (body: LoginBody) => post('/api/front/app/login', body, quiet);
export const register = (body: RegisterBody) => post('/api/front/app/register', body, quiet);
export const sendCode = (body: SendCodeBody) => post('/api/front/app/send_code', body, quiet);
export const setPassword = (body: SetPasswordBody) => post('/api/front/app/setPassword', body, quiet);
