import { IdSchema, Nullable } from '@shop/server/platform/http/schemas';
import { type TSchema, Type } from 'typebox';

export const EditKeySchema = Type.String({ pattern: '^[\\w.+-]{1,60}$' });
const RevisionSchema = Type.String({ minLength: 1, maxLength: 40 });

export const EditParamsSchema = Type.Object({ key: Type.String() });
export const EditBodySchema = <T extends TSchema>(value: T) =>
  Type.Object({ key: EditKeySchema, revision: Nullable(RevisionSchema), value });
export const PutBackBodySchema = Type.Object({ key: EditKeySchema, revision: RevisionSchema, entry: IdSchema });
