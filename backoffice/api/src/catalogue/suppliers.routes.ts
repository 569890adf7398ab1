import type { DomainOptions } from '@shop/server/context';
import { Type } from 'typebox';
import { callFor } from '../calls';
import { askSupplier, listSuppliers } from './suppliers.service';

const SuppliersQuerySchema = Type.Object({ q: Type.Optional(Type.String({ maxLength: 60 })) });
const AskSupplierBodySchema = Type.Object({ name: Type.String({ pattern: '^[a-z][a-z0-9]{0,30}$' }) });
const call = callFor('suppliers');

export const supplierCalls = ({ context, reads }: DomainOptions) => ({
  'GET suppliers': call({ query: SuppliersQuerySchema }, ({ query }) => listSuppliers(reads, context, query.q)),
  'POST suppliers/ask': call({ body: AskSupplierBodySchema }, ({ body }) => askSupplier(context, body.name)),
});
