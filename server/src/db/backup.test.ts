import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openEmbedded } from './database';

it('a copy of the embedded database has what was committed and not what was open when it was made', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-backup-'));
  const [one, two] = [path.join(folder, 'one'), path.join(folder, 'two')];
  const first = await openEmbedded({ folder: one, template: process.env.SHOP_TEST_TEMPLATE });
  await first.run('insert into hot_words values ($1, $2, $3)', ['en', 1, 'kept']);
  await first.withTransaction(async (sql) => {
    await sql.run('insert into hot_words values ($1, $2, $3)', ['en', 2, 'open']);
    await first.dump(path.join(two, 'pgdata'));
  });
  await first.close();
  const second = await openEmbedded({ folder: two });
  expect(await second.rows('select word from hot_words')).toEqual([{ word: 'kept' }]);
  await second.close();
  fs.rmSync(folder, { recursive: true, force: true });
});
