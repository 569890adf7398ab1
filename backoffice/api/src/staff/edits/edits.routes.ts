import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import { callsFor } from '../calls';
import type { StaffRole } from '../roles';
import { EditBodySchema, EditedSchema, EditParamsSchema, HistorySchema, PutBackBodySchema } from './edits.schemas';
import { type Editable, history, putBack, readEdited, saveEdit, type WantedEdit } from './edits.service';

/** Descriptions in two languages. */
const limit = 320 * 1024;

interface Edited<S extends TObject> {
  path: string;
  schema: S;
  editable: Editable<Static<S> & object>;
  /** Who edits it, beside managers; stock without it. */
  role?: StaffRole;
}

/**
 * The calls by which people edit one kind of thing: `GET <path>/:key`, `POST <path>/save`, `GET <path>/:key/history` and
 * `POST <path>/put-back`. Another domain says how a value is read and written (Editable) and its schema; backoffice/console/src/edits
 * has the form for it.
 */
export function editRoutes<S extends TObject>(app: App, options: DomainOptions, edited: Edited<S>): void {
  const { context, reads } = options;
  const { db } = context;
  const { path, schema, editable, role = 'stock' } = edited;
  const { get, post } = callsFor(app, role);
  get(`${path}/:key`, { params: EditParamsSchema, answer: EditedSchema }, ({ params }) =>
    readEdited(reads, editable, params.key),
  );
  post(`${path}/save`, { body: EditBodySchema(schema), answer: EditedSchema, limit }, ({ body, locale }) => {
    // Its schema is made of a type that TypeScript does not know yet.
    const wanted = body as unknown as Omit<WantedEdit<Static<S> & object>, 'locale'>;
    return saveEdit(db, editable, { ...wanted, locale });
  });
  get(`${path}/:key/history`, { params: EditParamsSchema, answer: HistorySchema }, ({ params }) =>
    history(reads, editable.kind, params.key),
  );
  post(`${path}/put-back`, { body: PutBackBodySchema, answer: EditedSchema }, ({ body, locale }) =>
    putBack(db, editable, { ...body, locale }, (value) => Value.Check(schema, value)),
  );
}
