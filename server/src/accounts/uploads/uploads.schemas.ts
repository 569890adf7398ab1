import { type Static, Type } from 'typebox';
import { TimeSchema } from '../../platform/http/schemas';

/**
 * PUT {relay.host}{relay.dir}{name} with the bytes as body, header `x-security-token: {relay.security_token}` and the
 * Content-Type: the answer is an envelope with `data: {url}`; send that url as `avatar` to POST /user/info. With the provider
 * "local" the same three fields are at the top level. With "s3" an app may instead PUT the bytes to `upload_url`, or use the
 * temporary credentials to write any name under {host}{dir}; then POST /oss/take `{key}` (`upload_key`, or dir and name) answers
 * `{url}`.
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
  relay: Type.Object({ host: Type.String(), dir: Type.String(), security_token: Type.String() }),
  upload_url: Type.Optional(Type.String()),
  upload_key: Type.Optional(Type.String()),
});
export const UploadAnswerSchema = Type.Object({ url: Type.String() });
export type UploadAnswer = Static<typeof UploadAnswerSchema>;
export const TakeUploadBodySchema = Type.Object({ key: Type.String({ minLength: 1, maxLength: 300 }) });
