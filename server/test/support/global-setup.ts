import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { compileProgram } from '../../../scripts/jest/compiled-program';
import { connectPostgres, type Database, openEmbedded } from '../../src/platform/db/database';
import { migrate } from '../../src/platform/db/migrate';
import { type PostgresServer, startPostgres } from './postgres';
import { saveTestGoods } from './test-goods';

const HOUR_MS = 3_600_000;
const root = path.join(__dirname, '../../..');
const cacheFolder = path.join(root, 'server/node_modules/.cache/shop-test');
const sources = [
  'server/src',
  'backoffice/api/src',
  'scripts/image/server.ts',
  'server/test/support/test-goods.ts',
  'platform/pages',
  'platform/releases/src',
  'shared/src/domain',
  'package-lock.json',
];
const sdks = [
  '@aws-sdk',
  '@opentelemetry',
  'alipay-sdk',
  'stripe',
  'tencentcloud-sdk-nodejs-common',
  'wechatpay-axios-plugin',
];

/**
 * Selects the databases of the suites by TEST_DATABASE (pglite, postgres or both): by default PostgreSQL if it is installed, or
 * both with TEST_FULL. Creates templates of each, so that a suite's own database is a copy, and compiles the program for tests
 * that start it as a process.
 */
export default async function globalSetup(): Promise<void> {
  const setting = process.env.TEST_DATABASE ?? 'auto';
  const [folder, postgres] = await Promise.all([
    compiledFiles(),
    setting === 'pglite' ? undefined : postgresWithTemplates(),
  ]);
  if (setting === 'postgres' && !postgres)
    throw new Error('TEST_DATABASE asks for PostgreSQL, but no initdb was found (PATH, /usr/lib/postgresql).');
  if (setting === 'auto' && !postgres)
    console.warn('\nPostgreSQL was not found (PATH, /usr/lib/postgresql): these tests run on PGlite only.');
  const both = [...(setting === 'postgres' ? [] : ['pglite']), ...(postgres ? ['postgres'] : [])];
  const comparesAll = setting === 'both' || Boolean(process.env.TEST_FULL);
  (globalThis as { shopTestPostgres?: PostgresServer }).shopTestPostgres = postgres;
  Object.assign(process.env, {
    SHOP_TEST_KINDS: (comparesAll ? both : both.slice(-1)).join(','),
    SHOP_TEST_POSTGRES: postgres?.folder ?? '',
    SHOP_TEST_PROGRAM: path.join(folder, 'program.js'),
    SHOP_TEST_EMPTY: path.join(folder, 'empty.tar'),
    SHOP_TEST_TEMPLATE: path.join(folder, 'migrated.tar'),
    SHOP_TEST_GOODS: path.join(folder, 'goods.tar'),
  });
}

async function compiledFiles(): Promise<string> {
  const folder = path.join(cacheFolder, hashOf(sources));
  if (fs.existsSync(folder)) return folder;
  fs.mkdirSync(cacheFolder, { recursive: true });
  for (const old of fs.readdirSync(cacheFolder).map((name) => path.join(cacheFolder, name)))
    if (Date.now() - fs.statSync(old).mtimeMs > HOUR_MS) fs.rmSync(old, { recursive: true, force: true });
  const draft = fs.mkdtempSync(`${folder}-`);
  await Promise.all([
    compileProgram(path.join(root, 'scripts/image/server.ts'), path.join(draft, 'program.js'), { separate: sdks }),
    embeddedTemplates(draft),
  ]);
  try {
    fs.renameSync(draft, folder);
    return folder;
  } catch {
    // Another run has created the same folder meanwhile.
    fs.rmSync(draft, { recursive: true });
    return folder;
  }
}

async function embeddedTemplates(folder: string): Promise<void> {
  const data = path.join(folder, 'data');
  const dump = async (name: string, fill: (db: Database) => Promise<void>) => {
    const db = await openEmbedded({ folder: data });
    await fill(db);
    await db.close();
    const stored = await PGlite.create(path.join(data, 'pgdata'));
    const file = await stored.dumpDataDir('none');
    fs.writeFileSync(path.join(folder, name), Buffer.from(await file.arrayBuffer()));
    await stored.close();
  };
  await dump('empty.tar', async () => {});
  await dump('migrated.tar', (db) => migrate(db));
  await dump('goods.tar', async (db) => {
    await saveTestGoods(db);
    // These two databases are unused, and without them a copy opens in three quarters of the time.
    await db.run("update pg_database set datistemplate = false where datname in ('template0', 'template1')");
    for (const name of ['template0', 'template1']) await db.script(`drop database ${name}`);
  });
  fs.rmSync(data, { recursive: true });
}

async function postgresWithTemplates(): Promise<PostgresServer | undefined> {
  const server = await startPostgres();
  if (!server) return undefined;
  const admin = await connectPostgres(server.url('postgres'), { max: 1 });
  await admin.script('create database shop_goods');
  await admin.close();
  const db = await connectPostgres(server.url('shop_goods'), { max: 1 });
  await migrate(db);
  await saveTestGoods(db);
  await db.close();
  return server;
}

function hashOf(names: string[]): string {
  const hash = createHash('sha256');
  const add = (file: string) => {
    if (!fs.statSync(file).isDirectory())
      return void hash.update(`${path.relative(root, file)}\0`).update(fs.readFileSync(file));
    for (const name of fs.readdirSync(file).sort()) if (!/\.test\.tsx?$|^\./.test(name)) add(path.join(file, name));
  };
  for (const name of names) add(path.join(root, name));
  return hash.digest('hex').slice(0, 16);
}
