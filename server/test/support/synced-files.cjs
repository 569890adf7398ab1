'use strict';
/*
 * Prints which files of the folder in argv[2] PGlite makes certain to be on the disk, for each of a few statements, as JSON.
 * The dump in argv[3] is what the folder starts from.
 */
const fs = require('node:fs');
const path = require('node:path');
const { PGlite } = require('@electric-sql/pglite');
const { SyncedNodeFS, startParams } = require('../../src/platform/db/synced-node-fs.cjs');

const folder = fs.realpathSync(process.argv[2]);
let files = [];
for (const call of ['fdatasyncSync', 'fsyncSync']) {
  fs[call] = (handle) => files.push(path.relative(folder, fs.readlinkSync(`/proc/self/fd/${handle}`)));
}

async function main() {
  const loadDataDir = new Blob([fs.readFileSync(process.argv[3])]);
  const db = await PGlite.create({ fs: new SyncedNodeFS(folder), startParams, loadDataDir });
  await db.exec('create table kept (n integer)');
  const syncedBy = async (statement) => {
    files = [];
    await db.query(statement);
    return files;
  };
  const found = {
    insert: await syncedBy('insert into kept values (1)'),
    select: await syncedBy('select * from kept'),
    table: (await db.query("select pg_relation_filepath('kept') as file")).rows[0].file,
    checkpoint: await syncedBy('checkpoint'),
  };
  await db.close();
  console.log(JSON.stringify(found));
}
main();
