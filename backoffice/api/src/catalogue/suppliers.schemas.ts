import { type Static, Type } from 'typebox';

export const SuppliersQuerySchema = Type.Object({ q: Type.Optional(Type.String({ maxLength: 60 })) });
export const AskSupplierBodySchema = Type.Object({ name: Type.String({ pattern: '^[a-z][a-z0-9]{0,30}$' }) });
export type AskSupplierBody = Static<typeof AskSupplierBodySchema>;
