import type { Edited, HistoryEntry, StaffCalls } from '@shop/backoffice/wire';
import { call, post } from '../api';

type PathOf<C> = C extends `POST ${infer Path}/put-back` ? Path : never;
export type EditPath = PathOf<keyof StaffCalls>;
export type EditedBy<P extends EditPath> =
  StaffCalls extends Record<`GET ${P}/:key`, { answer: Edited<infer Value extends object> }> ? Value : never;

export interface EditCalls<T> {
  path: EditPath;
  read(key: string): Promise<Edited<T>>;
  history(key: string): Promise<HistoryEntry[]>;
  save(edit: { key: string; revision: string | null; value: T }): Promise<Edited<T>>;
  putBack(edit: { key: string; revision: string; entry: number }): Promise<Edited<T>>;
}

export const editCalls = <P extends EditPath>(path: P): EditCalls<EditedBy<P>> => ({
  path,
  read: (key) => call(`${path}/${encodeURIComponent(key)}`),
  history: (key) => call(`${path}/${encodeURIComponent(key)}/history`),
  save: (edit) => post(`${path}/save`, edit),
  putBack: (edit) => post(`${path}/put-back`, edit),
});
