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

  async postgresServer(): Promise<PostgresServer> {
    this.postgres ??= await startPostgres();
    if (!this.postgres) throw new Error('PostgreSQL was not found (PATH, /usr/lib/postgresql).');
    return this.postgres;
  }

  /** A new database: its name, and how to reach it. */
  async newDatabase(): Promise<{ name: string; url: string }> {
    const server = await this.postgresServer();
    const name = `bench_${++this.databases}`;
    const admin = await connectPostgres(server.url('postgres'), { max: 1 });
    await admin.script(`create database ${name}`);
    await admin.close();
    return { name, url: server.url(name) };
  }

  newFolder(): string {
    return fs.mkdtempSync(path.join(this.folder, 'data-'));
  }

  /** A shop filled with `size`, running in a separate process. `name` is that of its PostgreSQL database. */
  async openShop(kind: Kind, size: ShopSize): Promise<RunningSubject & { name: string }> {
    const dataDir = this.newFolder();
    if (kind === 'PGlite') {
      await fill(await openEmbedded({ folder: path.join(dataDir, 'db') }), size);
      return { ...(await startSubject({ kind: 'shop', dataDir })), name: '' };
    }
    const { name, url } = await this.newDatabase();
    await fill(await connectPostgres(url, { max: 1 }), size);
    return { ...(await startSubject({ kind: 'shop', dataDir, databaseUrl: url })), name };
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
