import { Type } from 'typebox';

export const ChatBodySchema = Type.Object({ name: Type.String({ minLength: 1, maxLength: 40 }) });
