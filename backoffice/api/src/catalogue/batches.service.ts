import type { AppContext } from '@shop/server/context';
import { addEntry, staffActor } from '@shop/server/platform/audit/audit';
import { CardState } from '@shop/server/platform/db/named-numbers';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import { fromWire, toWire } from '@shop/server/platform/http/money';
import type { Currency } from '@shop/server/platform/http/schemas';
import { ErrorCode } from '@shop/shared/domain';
import { CSV_MARK, csvRows } from '@shop/shared/domain/csv';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { localDay } from '@shop/shared/domain/time-zone';
import { decide, lockWaiting } from '../people/approvals';
import type { StaffViewer } from '../people/staff-sessions.service';
import type { BatchesQuery, BatchSaveBody, EndBatchBody, StaffBatch } from './batches.schemas';

const PAGE_SIZE = 20;
/** Codes of a file that are in memory at once. */
const CODES_PER_READ = 500;
/** The exports of one staff member within this time count together, so that parts do not bypass the limit. */
const EXPORT_PERIOD = '1 day';

const costColumns = ({ cost }: StaffBatch) => [cost && (fromWire(cost.amount) ?? 0), cost?.currency ?? null];
const named = (name: string, { id, at }: { id: number; at: Date }, zone: string) =>
  name.trim() || `${localDay(at, zone)} #${id}`;

/** Adds codes as one batch, in the transaction of `sql`. `add` resolves to their number; without any there is no batch. */
export async function addBatch(
  sql: Sql,
  { config }: AppContext,
  batch: StaffBatch,
  add: (batchId: number) => Promise<number>,
): Promise<number> {
  const created = await sql.one<{ id: number; at: Date }>(
    `insert into card_batches (name, supplier, cost, currency, created_by) values ('', $1, $2, $3, $4)
     returning id, created_at as at`,
    [batch.supplier.trim(), ...costColumns(batch), staffActor().actor],
  );
  const added = await add(created.id);
  if (added === 0) await sql.run('delete from card_batches where id = $1', [created.id]);
  else
    await sql.run('update card_batches set name = $2, imported = $3 where id = $1', [
      created.id,
      named(batch.name, created, config.timeZone),
      added,
    ]);
  return added;
}

interface BatchRow {
  id: number;
  name: string;
  supplier: string;
  cost: number | null;
  currency: Currency | null;
  by: string;
  at: Date;
  imported: number;
  sold: number;
  reserved: number;
  unsold: number;
  expired: number;
  voided: number;
  /** Keys of the products and values. */
  values: Array<{ goods: string; spec: string }>;
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

const isExpired = 'c.expire_at <= clock_timestamp()';

/**
 * The newest batches come first. The order by state makes PostgreSQL look for a code of the value in the index of batches. A code counts in one of `sold`,
 * `reserved`, `unsold`, `expired` and `voided`.
 */
export async function listBatches(sql: Sql, staff: { id: number }, query: BatchesQuery) {
  const { id = null, goods = null, spec = null, waiting = false, before = null } = query;
  const rows = await sql.rows<BatchRow>(
    `select b.id, b.name, b.supplier, b.cost, b.currency, b.created_by as by, b.created_at as at, b.imported, n.*,
            coalesce((select json_agg(json_build_object('id', e.id, 'codes', e.codes, 'state', e.state, 'reason', e.reason,
                'by', p.name, 'at', e.asked_at, 'mine', e.asked_by = $6,
                'readable', e.state = 'done' and $6 in (e.asked_by, coalesce(e.decided_by, e.asked_by))) order by e.id desc)
              from staff_code_exports e join staff_people p on p.id = e.asked_by where e.batch_id = b.id), '[]') as exports
       from (select * from card_batches b
              where ($1::bigint is null or b.id = $1) and ($5::bigint is null or b.id < $5)
                and ($2::text is null or (select c.id from card_codes c where c.batch_id = b.id and c.spec_id = (
                  select s.id from goods g join goods_specs s on s.goods_id = g.id where g.key = $2 and s.key = $3)
                  order by c.state limit 1) is not null)
                and (not $4 or exists (select 1 from staff_code_exports e where e.batch_id = b.id and e.state = 'waiting'))
              order by b.id desc limit ${PAGE_SIZE}) b
      cross join lateral (
        select sum(sold)::integer as sold, sum(reserved)::integer as reserved, sum(unsold)::integer as unsold,
               sum(expired)::integer as expired, sum(voided)::integer as voided,
               json_agg(json_build_object('goods', g.key, 'spec', s.key) order by g.key, s.key) as values
          from (select c.spec_id, count(*) filter (where c.state = ${CardState.Sold}) as sold,
                       count(*) filter (where c.state = ${CardState.Reserved}) as reserved,
                       count(*) filter (where c.state = ${CardState.Free} and (${isExpired}) is not true) as unsold,
                       count(*) filter (where c.state = ${CardState.Free} and ${isExpired}) as expired,
                       count(*) filter (where c.state = ${CardState.Void}) as voided
                  from card_codes c where c.batch_id = b.id group by c.spec_id) c
          join goods_specs s on s.id = c.spec_id join goods g on g.id = s.goods_id) n
      order by b.id desc`,
    [id, goods, spec, waiting, before, staff.id],
  );
  return rows.map(({ cost, currency, by, ...row }) => ({
    ...row,
    by: by.replace(/ \(staff\)$/, ''),
    cost: cost === null || currency === null ? null : { amount: toWire(cost), currency },
  }));
}

/** Locks the batch against other changes of it, not against orders. Throws NotFound. */
async function lockBatch(sql: Sql, id: number) {
  const batch = await sql.row<
    Omit<StaffBatch, 'cost'> & { id: number; at: Date; cost: number; currency: Currency | null }
  >('select id, name, supplier, cost, currency, created_at as at from card_batches where id = $1 for no key update', [
    id,
  ]);
  if (!batch) throw new ShopError(ErrorCode.NotFound);
  return batch;
}

/** Throws NotFound. */
export const saveBatch = ({ db, config }: AppContext, { id, ...batch }: BatchSaveBody): Promise<void> =>
  db.withTransaction(async (sql) => {
    const { at, ...before } = await lockBatch(sql, id);
    const [cost, currency] = costColumns(batch);
    const after = {
      name: named(batch.name, { id, at }, config.timeZone),
      supplier: batch.supplier.trim(),
      cost,
      currency,
    };
    await sql.run('update card_batches set name = $2, supplier = $3, cost = $4, currency = $5 where id = $1', [
      id,
      ...Object.values(after),
    ]);
    await addEntry(sql, {
      ...{ ...staffActor(), action: 'codes.batch-edit', subject: after.name },
      detail: { batch: id, before, after },
    });
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
    const { name } = await lockBatch(sql, id);
    const voided = await endSale(sql, id);
    const detail = { batch: id, count: voided, reason };
    if (voided > 0) await addEntry(sql, { ...staffActor(), action: 'codes.void', subject: name, detail });
    return { voided };
  });

interface ExportAnswer {
  id: number;
  /** `second`: it waits for a second staff member. */
  state: 'second' | 'done';
  codes: number;
}

/**
 * Takes the unsold codes of a batch off sale for a file, at once or above the shop's number after the approval of a second staff member. The
 * same again while it waits is the same export. Throws NotFound and NothingUnsold.
 */
export const exportBatch = (
  { db, config }: AppContext,
  staff: { id: number },
  { id, reason }: EndBatchBody,
): Promise<ExportAnswer> =>
  db.withTransaction(async (sql) => {
    const batch = await lockBatch(sql, id);
    const waiting = await sql.row<{ id: number; codes: number }>(
      "select id, codes from staff_code_exports where batch_id = $1 and state = 'waiting'",
      [id],
    );
    if (waiting) return { ...waiting, state: 'second' };
    const { free } = await sql.one<{ free: number }>(
      `select count(*) as free from card_codes where batch_id = $1 and state = ${CardState.Free}`,
      [id],
    );
    if (free === 0) throw new ShopError(StaffErrorCode.NothingUnsold);
    // The lock serialises the exports of one staff member.
    await sql.row('select 1 from staff_people where id = $1 for no key update', [staff.id]);
    const { before } = await sql.one<{ before: number }>(
      `select coalesce(sum(codes), 0) as before from staff_code_exports
        where asked_by = $1 and state = 'done' and decided_by is null and asked_at > clock_timestamp() - $2::interval`,
      [staff.id, EXPORT_PERIOD],
    );
    const { exportId } = await sql.one<{ exportId: number }>(
      'insert into staff_code_exports (batch_id, codes, reason, asked_by) values ($1, $2, $3, $4) returning id as "exportId"',
      [id, free, reason, staff.id],
    );
    if (before + free > config.staffExportAbove) {
      await enter(sql, 'codes.export-ask', batch, { export: exportId, count: free, reason });
      return { id: exportId, state: 'second', codes: free };
    }
    return { id: exportId, state: 'done', codes: await makeExport(sql, batch, exportId, reason) };
  });

interface Batch {
  id: number;
  name: string;
}

const enter = (sql: Sql, action: string, { id, name }: Batch, detail: object) =>
  addEntry(sql, { ...staffActor(), action, subject: name, detail: { batch: id, ...detail } });

async function makeExport(sql: Sql, batch: Batch, exportId: number, reason: string): Promise<number> {
  const codes = await endSale(sql, batch.id, exportId);
  // Orders have reserved the last ones meanwhile.
  if (codes === 0) throw new ShopError(StaffErrorCode.NothingUnsold);
  await sql.run("update staff_code_exports set state = 'done', codes = $2 where id = $1", [exportId, codes]);
  await enter(sql, 'codes.export', batch, { export: exportId, count: codes, reason });
  return codes;
}

/**
 * Decides an export that waits: a second staff member makes or refuses it, or its requester withdraws it. Throws NotFound,
 * SecondPersonNeeded and NothingUnsold.
 */
export const decideExport = (
  { db }: AppContext,
  staff: { id: number },
  id: number,
  state: 'done' | 'refused',
): Promise<{ codes: number }> =>
  db.withTransaction(async (sql) => {
    const waiting = await lockWaiting(
      () =>
        sql.row<{ id: number; asked_by: number; batch_id: number; name: string; reason: string }>(
          `select e.*, b.name from staff_code_exports e join card_batches b on b.id = e.batch_id where e.id = $1 and e.state = 'waiting'`,
          [id],
        ),
      ({ batch_id }) => lockBatch(sql, batch_id),
    );
    const batch = { id: waiting.batch_id, name: waiting.name };
    await decide(sql, 'staff_code_exports', waiting, staff, state);
    if (state === 'done') return { codes: await makeExport(sql, batch, id, waiting.reason) };
    await enter(sql, 'codes.export-refuse', batch, { export: id });
    return { codes: 0 };
  });

/** The text of an export's file, in the columns of an import, and its entry in the audit log. Throws NotFound, also for staff who have neither requested nor approved it. */
export async function readExport({ db, keyring }: AppContext, staff: StaffViewer, id: number) {
  await db.withTransaction(async (sql) => {
    const batch = await sql.row<Batch>(
      `select b.id, b.name from staff_code_exports e join card_batches b on b.id = e.batch_id
        where e.id = $1 and e.state = 'done' and $2 in (e.asked_by, e.decided_by)`,
      [id, staff.id],
    );
    if (!batch) throw new ShopError(ErrorCode.NotFound);
    await enter(sql, 'codes.read', batch, { export: id });
  });
  return text();

  async function* text() {
    yield CSV_MARK + csvRows([['goods', 'spec', 'card_no', 'card_pwd', 'expire_at']]);
    let last = 0;
    while (true) {
      const codes = await db.rows<ExportedRow>(
        `select c.id, g.key as goods, s.key as spec, c.key_id, c.card_no, c.card_pwd, c.expire_at
           from card_codes c join goods_specs s on s.id = c.spec_id join goods g on g.id = s.goods_id
          where c.export_id = $1 and c.id > $2 order by c.id limit ${CODES_PER_READ}`,
        [id, last],
      );
      const rows = codes.map(({ goods, spec, key_id, card_no, card_pwd, expire_at }) => [
        ...[goods, spec, keyring.decrypt(key_id, card_no), keyring.decrypt(key_id, card_pwd)],
        expire_at?.toISOString() ?? '',
      ]);
      yield csvRows(rows);
      if (codes.length < CODES_PER_READ) return;
      last = codes.at(-1)?.id ?? 0;
    }
  }
}

interface ExportedRow {
  id: number;
  goods: string;
  spec: string;
  key_id: string;
  card_no: Buffer;
  card_pwd: Buffer;
  expire_at: Date | null;
}
