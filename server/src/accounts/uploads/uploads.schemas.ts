import { type Static, Type } from 'typebox';
import { TimeSchema } from '../../platform/http/schemas';

/**
 * PUT {host}{dir}{name} with the bytes as body, header `x-security-token: {security_token}` and the Content-Type: the answer is an
 * envelope with `data: {url}`; send that url as `avatar` to POST /user/info. `relay` repeats the three fields, because released
 * pages read them there.
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
});
export const UploadAnswerSchema = Type.Object({ url: Type.String() });
export type UploadAnswer = Static<typeof UploadAnswerSchema>;
