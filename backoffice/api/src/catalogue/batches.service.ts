import type { AppContext } from '@shop/server/context';
import { staffActor } from '@shop/server/platform/audit/audit';
import { CardState } from '@shop/server/platform/db/named-numbers';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import { fromWire } from '@shop/server/platform/http/money';
import { yieldingTurns } from '@shop/server/platform/http/yielding-turns';
import { ErrorCode } from '@shop/shared/domain';
import { CSV_MARK, csvRows } from '@shop/shared/domain/csv';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { localTime } from '@shop/shared/domain/time-zone';
import { decide } from '../people/approvals';
import { record } from '../people/record';
import { amount, insert, update } from '../sql';
import type { BatchesQuery, EndBatchBody, StaffBatch } from './codes.schemas';

const PAGE_SIZE = 20;
/** The exports of one staff member within this time count together, so that parts do not bypass the limit. */
const EXPORT_PERIOD = '1 day';

const columnsOf = (batch: Partial<StaffBatch>, zone: string, at = new Date()) => ({
  name: batch.name?.trim() || localTime(at, zone).replace('T', ' '),
  supplier: batch.supplier?.trim() ?? '',
  cost: batch.cost ? (fromWire(batch.cost) ?? 0) : null,
  currency: batch.currency ?? 'CNY',
});

/** Creates the batch of an import, in its transaction. Returns its id. */
export const addBatch = (sql: Sql, { timeZone }: AppContext['config'], batch: Partial<StaffBatch> = {}) =>
  insert(sql, 'card_batches', { ...columnsOf(batch, timeZone), created_by: staffActor().actor });

interface BatchRow extends Pick<StaffBatch, 'name' | 'supplier' | 'currency'> {
  id: number;
  cost: string | null;
  at: Date;
  by: string;
  imported: number;
  sold: number;
  reserved: number;
  unsold: number;
  expired: number;
  voided: number;
  /** The values of its codes: "steam/10". */
  values: string[];
  /** The newest comes first. */
  exports: Array<{
    id: number;
    codes: number;
    state: 'waiting' | 'done' | 'refused';
    reason: string;
    by: string;
    at: string;
    /** The caller has requested it. */
    mine: boolean;
    /** The caller may have its file. */
    readable: boolean;
  }>;
}

/** The newest batches come first. A code counts in one of `sold`, `reserved`, `unsold`, `expired` and `voided`. */
export async function listBatches(sql: Sql, staff: { id: number }, { id, waiting = false, before }: BatchesQuery) {
  const isExpired = 'c.expire_at <= clock_timestamp()';
  return sql.rows<BatchRow>(
    `select b.id, b.name, b.supplier, ${amount('b.cost')} as cost, b.currency, replace(b.created_by, ' (staff)', '') as by, b.created_at as at, n.*,
            array(select g.key || '/' || s.key from goods_specs s join goods g on g.id = s.goods_id
                   where s.id in (select c.spec_id from card_codes c where c.batch_id = b.id) order by 1) as values,
            coalesce((select json_agg(json_build_object('id', e.id, 'codes', e.codes, 'state', e.state, 'reason', e.reason,
                'by', p.name, 'at', e.asked_at, 'mine', e.asked_by = $4,
                'readable', e.state = 'done' and $4 in (e.asked_by, coalesce(e.decided_by, e.asked_by))) order by e.id desc)
              from staff_code_exports e join staff_people p on p.id = e.asked_by where e.batch_id = b.id), '[]') as exports
       from (select * from card_batches b
              where ($1::bigint is null or b.id = $1) and ($2::bigint is null or b.id < $2)
                and (not $3 or exists (select 1 from staff_code_exports e where e.batch_id = b.id and e.state = 'waiting'))
              order by b.id desc limit ${PAGE_SIZE}) b
      cross join lateral (
        select count(*) as imported, count(*) filter (where c.state = ${CardState.Sold}) as sold,
               count(*) filter (where c.state = ${CardState.Reserved}) as reserved,
               count(*) filter (where c.state = ${CardState.Free} and (${isExpired}) is not true) as unsold,
               count(*) filter (where c.state = ${CardState.Free} and ${isExpired}) as expired,
               count(*) filter (where c.state = ${CardState.Void}) as voided
          from card_codes c where c.batch_id = b.id) n
      order by b.id desc`,
    [id ?? null, before ?? null, waiting, staff.id],
  );
}

/** Locks the batch against other changes of it, not against orders. Throws NotFound. */
async function lockBatch(sql: Sql, id: number) {
  const batch = await sql.row<Pick<BatchRow, 'id' | 'name' | 'supplier' | 'currency' | 'at'> & { cost: number | null }>(
    'select id, name, supplier, cost, currency, created_at as at from card_batches where id = $1 for no key update',
    [id],
  );
  if (!batch) throw new ShopError(ErrorCode.NotFound);
  return batch;
}

type BatchName = Pick<BatchRow, 'id' | 'name'>;

const enter = (sql: Sql, action: string, { id, name }: BatchName, detail: object) =>
  record(sql, { action, subject: name, detail: { batch: id, ...detail } });

/** Throws NotFound. */
export const saveBatch = ({ db, config }: AppContext, body: StaffBatch & { id: number }): Promise<void> =>
  db.withTransaction(async (sql) => {
    const { id, at, ...before } = await lockBatch(sql, body.id);
    const after = columnsOf(body, config.timeZone, at);
    await update(sql, 'card_batches', 'id', id, after);
    await enter(sql, 'codes.batch-edit', { id, name: after.name }, { before, after });
  });

/** Voids the unsold codes of a batch; an order keeps what it has reserved or bought. Returns their number. */
const endSale = (sql: Sql, batchId: number, exportId: number | null = null): Promise<number> =>
  sql.run(
    `update card_codes set state = ${CardState.Void}, export_id = $2 where state = ${CardState.Free} and id in (
       select id from card_codes where batch_id = $1 and state = ${CardState.Free} order by id for update)`,
    [batchId, exportId],
  );

/** Voids what is left of a batch. The same again changes nothing. Throws NotFound. */
export const voidBatch = ({ db }: AppContext, { id, reason }: EndBatchBody): Promise<{ voided: number }> =>
  db.withTransaction(async (sql) => {
    const batch = await lockBatch(sql, id);
    const voided = await endSale(sql, id);
    if (voided > 0) await enter(sql, 'codes.void', batch, { count: voided, reason });
    return { voided };
  });

/**
 * Takes the unsold codes of a batch off sale for a file, at once (`done`) or above the shop's number after the approval of a second staff member
 * (`second`). The same again while it waits is the same export. Throws NotFound and NothingUnsold.
 */
export const exportBatch = ({ db, config }: AppContext, staff: { id: number }, { id, reason }: EndBatchBody) =>
  db.withTransaction(async (sql) => {
    const batch = await lockBatch(sql, id);
    const waiting = await sql.row<{ id: number; codes: number }>(
      "select id, codes from staff_code_exports where batch_id = $1 and state = 'waiting'",
      [id],
    );
    if (waiting) return { ...waiting, state: 'second' as const };
    // The lock serialises the exports of one staff member.
    await sql.row('select 1 from staff_people where id = $1 for no key update', [staff.id]);
    const { free, before } = await sql.one<{ free: number; before: number }>(
      `select (select count(*) from card_codes where batch_id = $1 and state = ${CardState.Free}) as free,
              (select coalesce(sum(codes), 0)::bigint from staff_code_exports
                where asked_by = $2 and state = 'done' and decided_by is null and asked_at > clock_timestamp() - $3::interval) as before`,
      [id, staff.id, EXPORT_PERIOD],
    );
    if (free === 0) throw new ShopError(StaffErrorCode.NothingUnsold);
    const exportId = await insert(sql, 'staff_code_exports', { batch_id: id, codes: free, reason, asked_by: staff.id });
    if (before + free > config.staffExportAbove) {
      await enter(sql, 'codes.export-ask', batch, { export: exportId, count: free, reason });
      return { id: exportId, codes: free, state: 'second' as const };
    }
    return { id: exportId, codes: await makeExport(sql, batch, exportId, reason), state: 'done' as const };
  });

async function makeExport(sql: Sql, batch: BatchName, exportId: number, reason: string): Promise<number> {
  const codes = await endSale(sql, batch.id, exportId);
  // Orders have reserved the last ones meanwhile.
  if (codes === 0) throw new ShopError(StaffErrorCode.NothingUnsold);
  await sql.run("update staff_code_exports set state = 'done', codes = $2 where id = $1", [exportId, codes]);
  await enter(sql, 'codes.export', batch, { export: exportId, count: codes, reason });
  return codes;
}

type WaitingExport = BatchName & { asked_by: number; reason: string };
const waitingExport = {
  table: 'staff_code_exports',
  query: `select b.id, b.name, e.asked_by, e.reason from staff_code_exports e join card_batches b on b.id = e.batch_id
           where e.id = $1 and e.state = 'waiting' for no key update`,
} as const;

/**
 * Decides an export that waits: a second staff member makes or refuses it, or its requester withdraws it. Throws NotFound,
 * SecondPersonNeeded and NothingUnsold.
 */
export const decideExport = ({ db }: AppContext, staff: { id: number }, id: number, state: 'done' | 'refused') =>
  db.withTransaction(async (sql) => {
    const waiting = await decide<WaitingExport>(sql, waitingExport, id, staff, state);
    if (state === 'done') return { codes: await makeExport(sql, waiting, id, waiting.reason) };
    await enter(sql, 'codes.export-refuse', waiting, { export: id });
    return { codes: 0 };
  });

interface ExportedRow {
  goods: string;
  spec: string;
  key_id: string;
  card_no: Buffer;
  card_pwd: Buffer;
  expire_at: Date | null;
}

/** The file of an export, in the columns of an import. Throws NotFound, also for staff who have neither requested nor approved it. */
export async function readExport({ db, keyring }: AppContext, staff: { id: number }, id: number) {
  const batch = await db.row<BatchName>(
    `select b.id, b.name from staff_code_exports e join card_batches b on b.id = e.batch_id
      where e.id = $1 and e.state = 'done' and $2 in (e.asked_by, e.decided_by)`,
    [id, staff.id],
  );
  if (!batch) throw new ShopError(ErrorCode.NotFound);
  await enter(db, 'codes.read', batch, { export: id });
  const codes = await db.rows<ExportedRow>(
    `select g.key as goods, s.key as spec, c.key_id, c.card_no, c.card_pwd, c.expire_at
       from card_codes c join goods_specs s on s.id = c.spec_id join goods g on g.id = s.goods_id
      where c.export_id = $1 order by c.id`,
    [id],
  );
  let csv = CSV_MARK + csvRows([['goods', 'spec', 'card_no', 'card_pwd', 'expire_at']]);
  const giveWay = yieldingTurns();
  for (const { goods, spec, key_id, card_no, card_pwd, expire_at } of codes) {
    await giveWay();
    const number = keyring.decrypt(key_id, card_no);
    const password = keyring.decrypt(key_id, card_pwd);
    csv += csvRows([[goods, spec, number, password, expire_at?.toISOString() ?? '']]);
  }
  return { csv };
}
