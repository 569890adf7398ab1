import type { HistoryEntry, StaffCalls, StaffEdited } from '@shop/backoffice/wire';
import { call, post } from '../api';

type PathOf<C> = C extends `POST ${infer Path}/put-back` ? Path : never;
/** What people edit, by the path of its calls (editRoutes of the server). */
export type EditPath = PathOf<keyof StaffCalls>;
export type EditedBy<P extends EditPath> =
  StaffCalls extends Record<`GET ${P}/:key`, { answer: StaffEdited<infer Value extends object> }> ? Value : never;

export interface EditCalls<T> {
  path: EditPath;
  read(key: string): Promise<StaffEdited<T>>;
  history(key: string): Promise<HistoryEntry[]>;
  save(edit: { key: string; revision: string | null; value: T }): Promise<StaffEdited<T>>;
  putBack(edit: { key: string; revision: string; entry: number }): Promise<StaffEdited<T>>;
}

export const editCalls = <P extends EditPath>(path: P): EditCalls<EditedBy<P>> => ({
  path,
  read: (key) => call(`${path}/${encodeURIComponent(key)}`),
  history: (key) => call(`${path}/${encodeURIComponent(key)}/history`),
  save: (edit) => post(`${path}/save`, edit),
  putBack: (edit) => post(`${path}/put-back`, edit),
});
