import { LocaleSchema, Nullable } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';

export const StaffPushSchema = Type.Object({
  /** The shop's key, by which a browser subscribes; null where the shop sends no push. */
  key: Nullable(Type.String()),
  /** Whether this browser is told. */
  here: Type.Boolean(),
  /** In which this browser is told. */
  language: Nullable(LocaleSchema),
});
export type StaffPush = Static<typeof StaffPushSchema>;
