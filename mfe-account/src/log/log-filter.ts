import { logTypeKeys } from '../common/movement-list';

export interface LogFilter {
  type: number | undefined;
  start: string;
  end: string;
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const readDay = (text: string | null) => (text && day.test(text) && !Number.isNaN(Date.parse(text)) ? text : '');

/** Reads the filter from the address; invalid values are ignored. */
export function readFilter(search: URLSearchParams): LogFilter {
  const type = search.get('type') ?? '';
  return {
    type: Object.hasOwn(logTypeKeys, type) ? Number(type) : undefined,
    start: readDay(search.get('start')),
    end: readDay(search.get('end')),
  };
}

export function writeFilter(filter: LogFilter): Record<string, string> {
  return {
    ...(filter.type === undefined ? {} : { type: String(filter.type) }),
    ...(filter.start ? { start: filter.start } : {}),
    ...(filter.end ? { end: filter.end } : {}),
  };
}

export function toDay(date: Date): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

export function lastDays(days: number, today: Date): { start: string; end: string } {
  const start = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1);
  return { start: toDay(start), end: toDay(today) };
}

/** Query for the server: whole days in the user's time zone, sent as instants. */
export function toQuery({ type, start, end }: LogFilter): { type?: number; start?: string; end?: string } {
  return {
    ...(type === undefined ? {} : { type }),
    ...(start ? { start: new Date(`${start}T00:00:00`).toISOString() } : {}),
    ...(end ? { end: new Date(`${end}T23:59:59.999`).toISOString() } : {}),
  };
}
