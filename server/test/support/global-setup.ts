import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { connectPostgres, openEmbedded } from '../../src/db/database';
import { migrate, readMigrations } from '../../src/db/migrate';
import { startPostgres } from './postgres';

/**
 * Decides by TEST_DATABASE (pglite, postgres or both; both where PostgreSQL is found) what the suites run on, and makes
 * a migrated template of each, so that a suite's own database is a copy.
 */
export default async function globalSetup(): Promise<void> {
  const wish = process.env.TEST_DATABASE ?? 'auto';
  const kinds: string[] = [];
  if (wish !== 'postgres') {
    process.env.SHOP_TEST_TEMPLATE = await embeddedTemplate();
    kinds.push('pglite');
  }
  if (wish !== 'pglite') {
    const server = await startPostgres();
    if (server) {
      (globalThis as { shopTestPostgres?: typeof server }).shopTestPostgres = server;
      process.env.SHOP_TEST_POSTGRES = server.folder;
      const db = await connectPostgres(server.url('postgres'), 1);
      await db.script('create database shop_template');
      await db.close();
      const template = await connectPostgres(server.url('shop_template'), 1);
      await migrate(template);
      await template.close();
      kinds.push('postgres');
    } else if (wish === 'auto') {
      console.warn('\nPostgreSQL was not found (PATH, /usr/lib/postgresql): these tests run on PGlite only.');
    } else {
      throw new Error('TEST_DATABASE asks for PostgreSQL, but no initdb was found (PATH, /usr/lib/postgresql).');
    }
  }
  process.env.SHOP_TEST_KINDS = kinds.join(',');
}

async function embeddedTemplate(): Promise<string> {
  const text = readMigrations()
    .map((migration) => migration.text)
    .join('\n');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const file = path.join(os.tmpdir(), `shop-test-template-${hash}.tar`);
  if (fs.existsSync(file)) return file;
  const db = await openEmbedded({});
  await migrate(db);
  const draft = `${file}.${process.pid}`;
  await db.dump(draft);
  await db.close();
  // Unpacked once here rather than by each test file.
  fs.writeFileSync(draft, gunzipSync(fs.readFileSync(draft)));
  fs.renameSync(draft, file);
  return file;
}
