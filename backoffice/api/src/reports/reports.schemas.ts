import { type Static, Type } from 'typebox';

export const DaySchema = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

export const ReportsQuerySchema = Type.Object({ from: DaySchema, to: DaySchema });
export type ReportsQuery = Static<typeof ReportsQuerySchema>;
export const ReconcileBodySchema = Type.Object({ day: DaySchema });
