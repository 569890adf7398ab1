import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connectPostgres } from '../../../server/src/platform/db/database';
import { migrate } from '../../../server/src/platform/db/migrate';
import { type PostgresServer, startPostgres } from '../../../server/test/support/postgres';
import { type ShopSize, stockShop } from './stock-shop';
import { type RunningSubject, startSubject } from './subjects';

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
