import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import type { DomainOptions } from '../../context';
import { ok } from '../../platform/http/envelope';
import type { App } from '../../platform/http/request';
import { answer } from '../../platform/http/schemas';
import type { StaffRole } from '../roles';
import { serves } from '../staff-access';
import { EditBodySchema, EditedSchema, EditParamsSchema, HistorySchema, PutBackBodySchema } from './edits.schemas';
import { type Editable, history, putBack, readEdited, saveEdit, type WantedEdit } from './edits.service';

/** Descriptions in two languages. */
const BODY_LIMIT = 320 * 1024;

/**
 * The calls by which people edit one kind of thing: `GET <path>/:key`, `POST <path>/save`, `GET <path>/:key/history` and
 * `POST <path>/put-back`. Another domain says how a value is read and written (Editable), its schema and who may; backoffice/console/src/edits
 * has the form for it.
 */
export function editRoutes<S extends TObject>(
  app: App,
  { context: { db }, reads }: Pick<DomainOptions, 'context' | 'reads'>,
  {
    path,
    schema,
    roles,
    editable,
  }: { path: string; schema: S; roles: StaffRole[]; editable: Editable<Static<S> & object> },
): void {
  const served = serves(...roles);
  const url = `/staff/api/${path}`;
  app.get(
    `${url}/:key`,
    { ...served, schema: { params: EditParamsSchema, response: answer(EditedSchema) } },
    async (request) => ok(request, await readEdited(reads, editable, request.params.key)),
  );
  app.post(
    `${url}/save`,
    { ...served, bodyLimit: BODY_LIMIT, schema: { body: EditBodySchema(schema), response: answer(EditedSchema) } },
    async (request) => {
      const wanted = request.body as Omit<WantedEdit<Static<S> & object>, 'locale'>;
      return ok(request, await saveEdit(db, editable, { ...wanted, locale: request.locale }));
    },
  );
  app.get(
    `${url}/:key/history`,
    { ...served, schema: { params: EditParamsSchema, response: answer(HistorySchema) } },
    async (request) => ok(request, await history(reads, editable.kind, request.params.key)),
  );
  app.post(
    `${url}/put-back`,
    { ...served, schema: { body: PutBackBodySchema, response: answer(EditedSchema) } },
    async (request) => {
      const wanted = { ...request.body, locale: request.locale };
      return ok(request, await putBack(db, editable, wanted, (value) => Value.Check(schema, value)));
    },
  );
}
