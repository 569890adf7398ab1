import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openEmbedded } from './database';
import { migrate } from './migrate';

it('keeps everything through a backup and a restore of the embedded database', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-backup-'));
  const file = path.join(folder, 'backup.tgz');
  const first = await openEmbedded({ folder: path.join(folder, 'one'), template: process.env.SHOP_TEST_TEMPLATE });
  await migrate(first);
  await first.run('insert into hot_words values ($1, $2, $3)', ['en', 1, 'kept']);
  await first.dump(file);
  await first.close();
  const second = await openEmbedded({ folder: path.join(folder, 'two'), template: file });
  expect(await second.one('select word from hot_words')).toEqual({ word: 'kept' });
  await second.close();
  fs.rmSync(folder, { recursive: true, force: true });
});
