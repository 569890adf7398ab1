import { type Static, Type } from 'typebox';
import { TimeSchema } from '../../platform/http/schemas';

const SessionIdSchema = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });

const SessionSchema = Type.Object({
  id: SessionIdSchema,
  browser: Type.String(),
  system: Type.String(),
  created_at: TimeSchema,
  seen_at: TimeSchema,
  current: Type.Boolean(),
});
export type Session = Static<typeof SessionSchema>;
export const SessionListSchema = Type.Object({ list: Type.Array(SessionSchema) });

export const EndSessionQuerySchema = Type.Object({ id: SessionIdSchema });
export const EndedSessionsSchema = Type.Object({ ended: Type.Integer() });
export const endSessionCall = { query: EndSessionQuerySchema, data: EndedSessionsSchema };
