import { type Static, Type } from 'typebox';
import { TimeSchema } from '../app/schema';

/**
 * provider "local": PUT {host}/{dir}{name} with the bytes as body, header `x-security-token: {security_token}` and the Content-Type.
 * The answer is an envelope with `data: {url}`; send that url as `avatar` to POST /user/info.
 * provider "s3": PUT the bytes to `upload_url`, or with the temporary credentials to any name under {host}{dir}; then
 * POST /oss/take `{key}` (`upload_key`, or dir and name) answers `{url}`.
 */
export const StsTokenSchema = Type.Object({
  provider: Type.String(),
  host: Type.String(),
  dir: Type.String(),
  access_key_id: Type.String(),
  access_key_secret: Type.String(),
  security_token: Type.String(),
  expiration: TimeSchema,
  /** Bytes. */
  max_size: Type.Integer(),
  types: Type.Array(Type.String()),
  upload_url: Type.Optional(Type.String()),
  upload_key: Type.Optional(Type.String()),
});
export type StsToken = Static<typeof StsTokenSchema>;
export const UploadAnswerSchema = Type.Object({ url: Type.String() });
export type UploadAnswer = Static<typeof UploadAnswerSchema>;
export const TakeUploadBodySchema = Type.Object({ key: Type.String({ minLength: 1, maxLength: 300 }) });
export type TakeUploadBody = Static<typeof TakeUploadBodySchema>;
