import { type Static, Type } from 'typebox';
import { TimeSchema } from '../app/schema';

/**
 * PUT {host}/{dir}{name} with the bytes as body, header `x-security-token: {security_token}` and the Content-Type.
 * The answer is an envelope with `data: {url}`; send that url as `avatar` to POST /user/info.
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
});
export type StsToken = Static<typeof StsTokenSchema>;
export const UploadAnswerSchema = Type.Object({ url: Type.String() });
export type UploadAnswer = Static<typeof UploadAnswerSchema>;
