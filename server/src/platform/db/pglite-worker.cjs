'use strict';
/*
 * Runs PGlite in a thread, because it would block the event loop of the server. It is plain JavaScript, so that the thread needs
 * no TypeScript loader. It exchanges PostgreSQL's protocol with worker-stream.ts, over one message port per client.
 */
const fs = require('node:fs');
const { parentPort, workerData } = require('node:worker_threads');
const { PGlite } = require('@electric-sql/pglite');

const settings = [
  'shared_buffers=16MB',
  'random_page_cost=1.1',
  // PGlite has no autovacuum: a statement prepared while its table was small would always scan the whole table.
  'enable_seqscan=off',
  'jit=off',
  'timezone=UTC',
];
const startParams = [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ['-c', setting])];

/** Messages after which a client waits for a response: query, sync, flush, end. A startup message has no type; its first byte is 0. */
const ends = new Set([0, ...Buffer.from('QSHX')]);

/** Whether `bytes` are complete messages, the last of which requests a response. */
function isComplete(bytes) {
  let at = 0;
  let type;
  while (at + 5 <= bytes.length) {
    type = bytes[at];
    at += type === 0 ? bytes.readUInt32BE(at) : 1 + bytes.readUInt32BE(at + 1);
  }
  return at === bytes.length && ends.has(type);
}

/** Executes the messages of `port` in complete groups, so that bind, execute and sync take one turn of the database. */
function serve(db, port) {
  let waiting = Buffer.alloc(0);
  let turn = Promise.resolve();
  const leave = () => db.runExclusive(async () => db.isInTransaction() && (await rollback(db)));
  const answer = (request) =>
    db.runExclusive(async () => {
      const parts = [];
      await db.execProtocolRawStream(request, {
        syncToFs: false,
        // A copy, because the next message overwrites the database's memory.
        onRawData: (part) => parts.push(Buffer.from(part)),
      });
      const whole = new Uint8Array(Buffer.concat(parts));
      port.postMessage(whole, [whole.buffer]);
    });
  port.on('message', (part) => {
    waiting = waiting.length ? Buffer.concat([waiting, part]) : Buffer.from(part.buffer, part.byteOffset, part.length);
    if (!isComplete(waiting)) return;
    const request = waiting;
    waiting = Buffer.alloc(0);
    turn = turn.then(() => answer(request)).catch(() => port.close());
  });
  port.on('close', () => {
    turn = turn.then(leave).catch(() => {});
  });
}

const ROLLBACK = Buffer.from('Q\0\0\0\rROLLBACK\0', 'latin1');
const rollback = (db) => db.execProtocolRawStream(ROLLBACK, { syncToFs: false, onRawData: () => {} });

async function main() {
  const { dataDir, template } = workerData;
  const loadDataDir = template && new Blob([fs.readFileSync(template)]);
  const db = await PGlite.create({ dataDir, loadDataDir, startParams });
  parentPort.on('message', async (message) => {
    if (message.kind === 'client') return serve(db, message.port);
    await db.close();
    parentPort.postMessage({ kind: 'stopped' });
    parentPort.close();
  });
  parentPort.postMessage({ kind: 'ready' });
}
main().catch((error) => {
  parentPort.postMessage({ kind: 'failed', message: String(error?.message ?? error) });
  parentPort.close();
});
