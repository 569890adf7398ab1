import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connectPostgres } from '../../../server/src/platform/db/database';
import { migrate } from '../../../server/src/platform/db/migrate';
import type { Sql } from '../../../server/src/platform/db/sql';
import { type PostgresServer, startPostgres } from '../../../server/test/support/postgres';
import { type RunningSubject, startSubject } from './subjects';

interface ShopSize {
  goods: number;
  cardGoods: number;
  cardsPerSpec: number;
  users: number;
}

export const SPECS = 6;
export const tokenOf = (user: number) => `measured-person-${String(user).padStart(8, '0')}`;

const steps = ({ goods, cardGoods, cardsPerSpec, users }: ShopSize): string[] => [
  `insert into categories (key, name_zh, name_en, sort) select 'c' || n, '分类' || n, 'Category ' || n, n from generate_series(1, 10) n`,
  `insert into goods (key, category_id, name_zh, name_en, initial, image, status, recharge_type, spec_type, sort, sales, search_text,
                      description_zh, description_en, tags, max_qty)
   select 'g' || n, 1 + n % 10, '游戏' || n, 'Game ' || n, chr(65 + n % 26), '/media/goods-' || n % 97 || '.webp', 1,
          case when n <= ${cardGoods} then 1 else 4 end, 1, n::bigint * 7919 % 1000, n::bigint * 104729 % 100000,
          '~|游戏' || n || '|youxi' || n || '|yx' || n || '|game' || n || '|' || substr(md5(n::text), 1, 8)
            || '|~ you xi ' || n || ' |~ game ' || n || ' |',
          repeat('说明文字，', 40), repeat('About this product. ', 20), '[{"zh-CN": "热卖", "en": "Hot"}]', 10
     from generate_series(1, ${goods}) n`,
  `insert into goods_specs (goods_id, key, name_zh, name_en, face_value, sort, max_qty)
   select g.id, 's' || k, '面值' || k, 'Value ' || k, k::text, k, 10 from goods g, generate_series(1, ${SPECS}) k order by g.id, k.k`,
  `insert into prices (goods_id, spec_id, currency, price, original_price)
   select s.goods_id, s.id, c, 100 + (s.id * 37) % 5000, 6000 from goods_specs s, unnest(array['CNY', 'USD']) c order by s.id`,
  `insert into card_codes (spec_id, number_mark, key_id, card_no, card_pwd)
   select s.id, sha256((s.id || ':' || n)::bytea), 'local', '\\x00', '\\x00'
     from goods_specs s join goods g on g.id = s.goods_id and g.recharge_type = 1, generate_series(1, ${cardsPerSpec}) n`,
  `insert into users (phone, nickname, invite_code) select (13900000000 + n)::text, 'p' || n, 'I' || n from generate_series(1, ${users}) n`,
  // The inserted wallets and past orders are consistent; triggers that check a million rows one by one would take minutes.
  'set session_replication_role = replica',
  `insert into wallets (user_id, currency, balance) select id, c, 1000000000 from users, unnest(array['CNY', 'USD']) c`,
  `insert into ledger_transactions (type, user_id, remark) select 1, user_id, currency from wallets`,
  `insert into ledger_entries (transaction_id, user_id, account, currency, amount, balance_after, frozen_after)
     select id, user_id, 'available', remark, 1000000000, 1000000000, 0 from ledger_transactions`,
  `insert into ledger_entries (transaction_id, account, currency, amount)
     select id, 'adjustment', remark, -1000000000 from ledger_transactions`,
  'set session_replication_role = origin',
];

/** Fills an empty, migrated shop with uniform goods and signed-in users with money. Uses one connection. */
async function stockShop(sql: Sql, size: ShopSize): Promise<void> {
  for (const step of steps(size)) await sql.script(step);
  const users = Array.from({ length: size.users }, (_one, index) => index + 1);
  // Every other session lacks a recent proof, so its payments count towards the proof limit.
  await sql.run(
    `insert into sessions (token_hash, user_id, address, proved_at, expires_at)
     select t.hash, u.id, '127.0.0.1', now() + case when t.n % 2 = 0 then interval '1 day' else interval '-1 hour' end,
            now() + interval '1 day'
       from unnest($1::bytea[], $2::bigint[]) as t (hash, n) join users u on u.invite_code = 'I' || t.n`,
    [users.map((user) => createHash('sha256').update(tokenOf(user)).digest()), users],
  );
  await sql.script('vacuum analyze');
}

export class Rig {
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-bench-'));
  private postgres: PostgresServer | undefined;
  private databases = 0;

  /** The address of a new database with a shop of that size. */
  async newShop(size: ShopSize): Promise<string> {
    this.postgres ??= await startPostgres();
    if (!this.postgres) throw new Error('PostgreSQL was not found (PATH, /usr/lib/postgresql).');
    const name = `bench_${++this.databases}`;
    const admin = await connectPostgres(this.postgres.url('postgres'), { max: 1 });
    await admin.script(`create database ${name}`);
    await admin.close();
    const databaseUrl = this.postgres.url(name);
    const db = await connectPostgres(databaseUrl, { max: 1 });
    await migrate(db);
    await stockShop(db, size);
    await db.close();
    return databaseUrl;
  }

  async openShop(size: ShopSize): Promise<RunningSubject> {
    const dataDir = fs.mkdtempSync(path.join(this.folder, 'data-'));
    return startSubject(dataDir, await this.newShop(size));
  }

  async close(): Promise<void> {
    await this.postgres?.stop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
