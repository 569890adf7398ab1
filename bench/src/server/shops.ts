import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connectPostgres, type Database, openEmbedded } from '../../../server/src/platform/db/database';
import { migrate } from '../../../server/src/platform/db/migrate';
import { type PostgresServer, startPostgres } from '../../../server/test/support/postgres';
import { type ShopSize, stockShop } from './stock-shop';
import { type RunningSubject, startSubject } from './subjects';

export type Kind = 'PostgreSQL' | 'PGlite';
export const kinds: Kind[] = ['PostgreSQL', 'PGlite'];

/** What a run has opened, to be closed when it ends. */
export class Rig {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-bench-'));
  private postgres: PostgresServer | undefined;
  private databases = 0;

  /** The address of a new database. */
  async newDatabase(): Promise<string> {
    this.postgres ??= await startPostgres();
    const server = this.postgres;
    if (!server) throw new Error('PostgreSQL was not found (PATH, /usr/lib/postgresql).');
    const name = `bench_${++this.databases}`;
    const admin = await connectPostgres(server.url('postgres'), { max: 1 });
    await admin.script(`create database ${name}`);
    await admin.close();
    return server.url(name);
  }

  newFolder(): string {
    return fs.mkdtempSync(path.join(this.folder, 'data-'));
  }

  /** A shop filled with `size`, running in a separate process. */
  async openShop(kind: Kind, size: ShopSize): Promise<RunningSubject> {
    const dataDir = this.newFolder();
    if (kind === 'PGlite') {
      await fill(await openEmbedded({ folder: path.join(dataDir, 'db') }), size);
      return startSubject({ kind: 'shop', dataDir });
    }
    const url = await this.newDatabase();
    await fill(await connectPostgres(url, { max: 1 }), size);
    return startSubject({ kind: 'shop', dataDir, databaseUrl: url });
  }

  async close(): Promise<void> {
    await this.postgres?.stop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

async function fill(db: Database, size: ShopSize): Promise<void> {
  await migrate(db);
  await stockShop(db, size);
  await db.close();
}
