import type { DomainOptions } from '@shop/server/context';
import type { Static, TObject } from 'typebox';
import { callFor, type StaffCall } from '../calls';
import type { Area } from '../people/roles';
import {
  type Editable,
  EditBodySchema,
  type Edited,
  EditParamsSchema,
  history,
  PutBackBodySchema,
  putBack,
  readEdited,
  saveEdit,
  type WantedEdit,
} from './edits.service';

const limit = 320 * 1024;

interface EditedKind<P extends string, S extends TObject> {
  path: P;
  schema: S;
  editable: Editable<Static<S> & object>;
  area: Area;
}

/**
 * The calls by which staff edit one kind of object: `GET <path>/:key`, `POST <path>/save`, `GET <path>/:key/history` and `POST
 * <path>/put-back`. The domain defines how a value is read and written (Editable) and its schema; backoffice/console/src/edits
 * has the form for it.
 */
export function editCalls<P extends string, S extends TObject>(
  { context, reads }: DomainOptions,
  { path, schema, editable, area }: EditedKind<P, S>,
) {
  type T = Static<S> & object;
  const { db } = context;
  const call = callFor(area);
  const read = call({ params: EditParamsSchema }, ({ params }) => readEdited(reads, editable, params.key));
  const entries = call({ params: EditParamsSchema }, ({ params }) => history(reads, editable.kind, params.key));
  const save = call({ body: EditBodySchema(schema), limit }, ({ body, locale }) => {
    // Its schema is made of a type parameter, which TypeScript cannot resolve here.
    const { value, ...edit } = body as unknown as Omit<WantedEdit, 'locale'> & { value: T };
    return saveEdit(db, editable, { ...edit, locale }, () => value);
  });
  const restore = call({ body: PutBackBodySchema }, ({ body, locale }) =>
    putBack(db, editable, schema, { ...body, locale }),
  );
  return {
    [`GET ${path}/:key`]: read,
    [`GET ${path}/:key/history`]: entries,
    [`POST ${path}/save`]: save,
    [`POST ${path}/put-back`]: restore,
  } as unknown as Record<`GET ${P}/:key`, StaffCall<undefined, undefined, typeof EditParamsSchema, Edited<T>>> &
    Record<`GET ${P}/:key/history`, typeof entries> &
    Record<`POST ${P}/save`, StaffCall<ReturnType<typeof EditBodySchema<S>>, undefined, undefined, Edited<T>>> &
    Record<`POST ${P}/put-back`, StaffCall<typeof PutBackBodySchema, undefined, undefined, Edited<T>>>;
}
