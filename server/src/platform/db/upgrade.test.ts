import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { faultsOf } from '../../../test/support/invariants';
import { createDatabase } from '../../../test/support/postgres';
import { schemaOf } from '../../../test/support/schema-of';
import { bothKinds } from '../../../test/support/test-app';
import { connectPostgres, type Database, openEmbedded } from './database';
import { migrate } from './migrate';

/** A shop of version 100 with an order that is paid and one that is not, by pg_dump; it stays as it is. */
const baseline = gunzipSync(fs.readFileSync(path.join(__dirname, '../../../test/upgrade/baseline.sql.gz'))).toString();

/** The embedded database has no role before its first migration; a backup has none either. */
const role = `
  do $$ begin
    create role shop_app nologin;
  exception when duplicate_object then null;
  end $$;`;
const unpaid = 'status = 10 and closed_at is null';

describe.each(bothKinds)('a shop of the baseline on %s', (kind) => {
  let shop: Database;
  let empty: Database;
  const open = async (name: string) =>
    kind === 'pglite'
      ? openEmbedded({ template: process.env.SHOP_TEST_EMPTY })
      : connectPostgres(await createDatabase(`${name}_${process.pid}`));
  beforeAll(async () => {
    [shop, empty] = await Promise.all([open('upgraded'), open('fresh')]);
    await shop.withTransaction((sql) => sql.script(role + baseline));
    await migrate(shop);
    await migrate(empty);
  });
  afterAll(() => Promise.all([shop?.close(), empty?.close()]));

  it('gets the schema that an empty database gets', async () => {
    expect(await schemaOf(shop)).toEqual(await schemaOf(empty));
  });

  it('keeps the response of a call that was made before', async () => {
    const calls = await shop.rows<{ code: number; message: string; paid: string | null }>(
      `select (response ->> 'code')::integer as code, response ->> 'message' as message, response -> 'data' ->> 'order_no' as paid
         from idempotency_keys order by created_at`,
    );
    expect(calls.length).toBeGreaterThan(0);
    for (const { code, message, paid } of calls) {
      expect([code, message]).toEqual([200, '成功']);
      expect(paid).toMatch(/^\w{20}$/);
    }
  });

  it('goes on selling', async () => {
    await shop.run(`update orders set expire_at = now() + interval '1 minute' where ${unpaid}`);
    const { user_id, order_no } = await shop.one<{ user_id: number; order_no: string }>(
      `select user_id, order_no from orders where ${unpaid}`,
    );
    await shop.one('select order_pay_by_balance($1, $2)', [user_id, order_no]);
    expect(await shop.rows('select status, delivery_status from orders')).toEqual([
      { status: 30, delivery_status: 20 },
      { status: 30, delivery_status: 20 },
    ]);
    expect(await faultsOf(shop)).toEqual({});
  });
});
