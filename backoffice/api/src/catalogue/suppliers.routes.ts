import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { AskSupplierBodySchema, SuppliersQuerySchema } from './suppliers.schemas';
import { askSupplier, listSuppliers } from './suppliers.service';

const call = callFor('suppliers');

export const supplierCalls = ({ context, reads }: DomainOptions) => ({
  'GET suppliers': call({ query: SuppliersQuerySchema }, ({ query }) => listSuppliers(reads, context, query.q)),
  'POST suppliers/ask': call({ body: AskSupplierBodySchema }, ({ body }) => askSupplier(context, body)),
});
