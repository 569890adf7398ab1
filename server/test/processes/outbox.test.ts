import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from '../../../scripts/jest/until';
import { openEmbedded } from '../../src/platform/db/database';
import { embeddedFolder, openContext } from '../../src/start';
import { MailServer } from '../support/doubles/mail-server';
import { newShopper } from '../support/fill-shop';
import { ShopProcess } from '../support/shop-process';
import { writeSecrets } from '../support/test-goods';

const PEOPLE = 10;
const NOTICES = 30;
const AT_ONCE = 5;
const ANSWERED = 7;

const closing: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it('a server killed while sending loses no notice, and repeats only those in progress', async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-outbox-'));
  closing.push(async () => fs.rmSync(dataDir, { recursive: true, force: true }));
  writeSecrets(dataDir);
  const mails = await new MailServer().start();
  closing.push(() => mails.close());
  const env = { ...mails.env(), DATA_DIR: dataDir, DATABASE_URL: '' };
  const folder = embeddedFolder(dataDir);
  await (await openEmbedded({ folder, template: process.env.SHOP_TEST_GOODS })).close();
  const inDatabase = async <T>(work: (db: Awaited<ReturnType<typeof openContext>>['db']) => Promise<T>): Promise<T> => {
    const { db } = await openContext({ dataDir, env, seed: false });
    return work(db).finally(() => db.close());
  };
  await inDatabase(async (db) => {
    for (let count = 0; count < PEOPLE; count++) {
      const { id } = await newShopper(db);
      await db.run("update users set email = 'p' || id || '@mail.example' where id = $1", [id]);
    }
    await db.run("insert into notice_settings (user_id, locale, confirmed_email) select id, 'en', email from users");
    await db.run(
      `insert into notices (user_id, channel, kind, about, data)
       select id, 'mail', 'back_in_stock', n::text, '{"goods_id": 1, "name": {"zh-CN": "商品", "en": "Goods"}}'
         from users, generate_series(1, $1) n`,
      [NOTICES / PEOPLE],
    );
  });

  mails.mostAnswers = ANSWERED;
  const server = await ShopProcess.start(env);
  closing.push(() => server.kill());
  await until('mails that were taken', () => mails.received.length === ANSWERED + AT_ONCE);
  await server.kill();
  const messageIds = mails.received.map(({ headers }) => headers['message-id']);
  const inFlight = messageIds.slice(ANSWERED);

  await inDatabase((db) => db.run("update notices set due_at = clock_timestamp() where state = 'waiting'"));
  mails.mostAnswers = Number.POSITIVE_INFINITY;
  await server.start();
  await until('the rest of the mails', () => mails.received.length >= NOTICES + AT_ONCE);
  expect(await server.stop()).toBe(0);

  const counts = new Map<string, number>();
  for (const { headers } of mails.received) {
    const number = headers['message-id'] ?? '';
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  expect(counts.size).toBe(NOTICES);
  expect([...counts].flatMap(([number, count]) => (count > 1 ? [[number, count]] : [])).sort()).toEqual(
    inFlight.map((number) => [number, 2]).sort(),
  );
  const states = await inDatabase((db) => db.rows<{ state: string }>('select distinct state from notices'));
  expect(states).toEqual([{ state: 'sent' }]);
});
