import type * as Wire from '@shop/server/wire';
import { identifierBody } from '@shop/shared/domain/mask-phone';
import { get, post, put, type RequestOptions } from '@shop/shared/http';

const front = '/api/front';
/** The payment of a recharge is kept in this tab until its result is known. */
export const rechargePaymentKey = 'account.recharge-payment';

export const createRecharge = (body: Wire.RechargeCreateBody, idempotencyKey: string) =>
  post(`${front}/recharge/create`, body, { idempotencyKey, quiet: true });
export const payRecharge = (recharge_no: string, method: string, idempotencyKey: string) =>
  post(`${front}/payment/online`, { recharge_no, method }, { idempotencyKey, quiet: true });
export const redeemCoupon = (code: string, idempotencyKey: string) =>
  post(`${front}/coupon/receiveByCode`, { code }, { idempotencyKey, quiet: true });
export const sendCode = (to: string) =>
  post(`${front}/app/send_code`, { ...identifierBody(to), scene: 'password' }, { quiet: true });
export const setPassword = (body: Wire.SetPasswordBody) => post(`${front}/app/setPassword`, body, { quiet: true });
export const updateUser = (body: Wire.UpdateUserBody, options: RequestOptions = { quiet: true }) =>
  post(`${front}/user/info`, body, options);

export async function uploadAvatar(file: Blob, extension: string, name: string): Promise<string> {
  // The content security policy allows only the shop's own origin, so the upload goes through it.
  const { relay } = await get(`${front}/oss/getStsToken`, undefined, { quiet: true });
  const host = relay.host.replace(/\/+$/, '');
  const answer = await put<Wire.UploadAnswer>(`${host}/${relay.dir}${name}.${extension}`, file, {
    'Content-Type': file.type,
    'x-security-token': relay.security_token,
  });
  return answer.url;
}
