import { type Static, Type } from 'typebox';

const DaySchema = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

export const ReportsQuerySchema = Type.Object({
  from: DaySchema,
  to: DaySchema,
  /** Minutes by which midnight of these days is before midnight UTC: 480 for China. */
  offset: Type.Integer({ minimum: -720, maximum: 840, default: 0 }),
});
export type ReportsQuery = Static<typeof ReportsQuerySchema>;
export const ReconcileBodySchema = Type.Object({ day: DaySchema });
