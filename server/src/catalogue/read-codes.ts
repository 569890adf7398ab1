import { type CodeFaultKind, readCodeLines } from '@shop/shared/domain/code-lines';
import { endOfDay, instantOf } from '@shop/shared/domain/time-zone';
import { yieldingTurns } from '../platform/http/yielding-turns';

export interface WrittenCode {
  line: number;
  goods: string;
  spec: string;
  card_no: string;
  card_pwd: string;
  expire_at: string | null;
}

/** `other` is the line that the code repeats. */
export interface CodeFault {
  line: number;
  kind: CodeFaultKind;
  other?: number;
}

/** Maximum lines of a file. Half of them may be empty or wrong. */
const MAX_LINES = 10_000;

export function hasTooManyLines(text: string): boolean {
  const end = /\r\n?|\n/g;
  let count = 0;
  while (count < MAX_LINES && end.test(text)) count++;
  return count >= MAX_LINES;
}

const never = /^(?:[-—]+|永久.*|长期.*|无.*|none|never|n\/a)$/i;
const writtenTime =
  /^(\d{4})(?:[-/.年](\d{1,2})[-/.月](\d{1,2})日?|(\d\d)(\d\d))(?:[T ]+(\d{1,2}:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * The end of a code that is valid until `text`: the last second of a day in the shop's time zone, so that it is shown as that day, or a time. Null if it has none; an Invalid Date for a
 * day that does not exist, and for another spelling than year, month, day.
 */
export function expiryOf(text: string, timeZone: string): Date | null {
  const plain = text.normalize('NFKC').trim();
  if (!plain || never.test(plain)) return null;
  const [, year, month, day, twoDigitMonth, twoDigitDay, time = '', zone] = writtenTime.exec(plain) ?? [];
  const date = [year, month ?? twoDigitMonth, day ?? twoDigitDay].map((part) => part?.padStart(2, '0')).join('-');
  const clock = time.padStart(time.length === 4 || time.length === 7 ? time.length + 1 : 0, '0');
  // A spreadsheet writes a day as its midnight.
  if (!zone && /^(?:24:00|00:00)?(?::00)?$/.test(clock)) return new Date(endOfDay(date, timeZone).getTime() - 1000);
  return zone && endOfDay(date, timeZone).getTime()
    ? new Date(`${date}T${clock}${zone}`)
    : instantOf(`${date}T${clock}`, timeZone);
}

/** Reads the codes of a file; a line that names no product and value is for `place`. */
export async function readCodes(
  text: string,
  place: { goods: string; spec: string },
  timeZone: string,
  now = Date.now(),
): Promise<{ codes: WrittenCode[]; faults: CodeFault[] }> {
  const faults: CodeFault[] = [];
  const codes: WrittenCode[] = [];
  const giveWay = yieldingTurns();
  for (const { line, cells, fault } of readCodeLines(text)) {
    await giveWay();
    const { card_no = '', card_pwd = '', expire_at = '', goods, spec } = cells;
    const until = fault ? null : expiryOf(expire_at, timeZone);
    const kind = fault ?? faultOf(until, now);
    if (kind) faults.push({ line, kind });
    else
      codes.push({
        line,
        goods: goods || place.goods,
        spec: spec || place.spec,
        card_no,
        card_pwd,
        expire_at: until?.toISOString() ?? null,
      });
  }
  return { codes, faults };
}

function faultOf(until: Date | null, now = Date.now()): CodeFaultKind | undefined {
  if (until && Number.isNaN(until.getTime())) return 'expiry';
  return until && until.getTime() <= now ? 'expired' : undefined;
}
