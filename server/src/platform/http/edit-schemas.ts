import { ofLines } from '@shop/server/platform/http/body-validator';
import { Nullable } from '@shop/server/platform/http/schemas';
import { type Static, type TSchema, Type } from 'typebox';

export const oneOf = <T extends number | string>(values: readonly T[]) => Type.Unsafe<T>({ enum: values });
export const text = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength });
export const lines = (maxLength: number) => Type.String({ maxLength, ...ofLines });
export const inBoth = (maxLength: number, minLength = 0) =>
  exact({ 'zh-CN': text(maxLength, minLength), en: text(maxLength, minLength) });
export const linesInBoth = (maxLength: number) => exact({ 'zh-CN': lines(maxLength), en: lines(maxLength) });
export const exact = <T extends Record<string, TSchema>>(fields: T) =>
  Type.Object(fields, { additionalProperties: false });

export const EditKeySchema = Type.String({ pattern: '^[\\w.+-]{1,60}$' });
export const DaySchema = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
/** The format of toISOString. */
export const InstantSchema = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' });
/** The period in which something is visible; null means no bound. */
export const period = { starts_at: Nullable(InstantSchema), ends_at: Nullable(InstantSchema) };
export interface Period {
  starts_at: string | null;
  ends_at: string | null;
}

const isTime = (text: string) => !Number.isNaN(Date.parse(text));

export function periodFaults(from: [name: string, text: string | null], until: [name: string, text: string | null]) {
  const faults: Record<string, string> = {};
  for (const [name, text] of [from, until]) if (text !== null && !isTime(text)) faults[name] = 'pattern';
  if (from[1] && until[1] && Date.parse(until[1]) <= Date.parse(from[1])) faults[until[0]] ??= 'minimum';
  return faults;
}

export const ShownStateSchema = oneOf(['shown', 'waiting', 'ended', 'hidden'] as const);
export type ShownState = Static<typeof ShownStateSchema>;

export function shownState({ starts_at, ends_at }: Period, isOn: boolean, now: number): ShownState {
  if (!isOn) return 'hidden';
  if (ends_at && Date.parse(ends_at) <= now) return 'ended';
  return starts_at && Date.parse(starts_at) > now ? 'waiting' : 'shown';
}
