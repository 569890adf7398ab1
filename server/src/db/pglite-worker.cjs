'use strict';
/*
 * PGlite in a thread of its own: in the server's thread it would starve the event loop. Plain JavaScript, so that no
 * TypeScript loader is needed in the thread. Speaks PostgreSQL's protocol on a Unix socket (or a loopback port).
 */
const fs = require('node:fs');
const path = require('node:path');
const { parentPort, workerData } = require('node:worker_threads');
const { PGlite } = require('@electric-sql/pglite');
const { NodeFS } = require('@electric-sql/pglite/nodefs');
const { PGLiteSocketServer } = require('@electric-sql/pglite-socket');

/** Kernel time stamps of files are that coarse: a write so shortly after a sync might carry the same stamp. */
const CLOCK_GRAIN_MS = 20;

/**
 * PGlite never calls fsync, so a power cut could lose what was acknowledged. This file system syncs the write-ahead log
 * before every answer that follows a write, and every data file after a checkpoint.
 */
class SyncedNodeFS extends NodeFS {
  constructor(dataDir) {
    super(dataDir);
    this.walSyncedAt = 0;
    this.dataSyncedAt = Date.now();
    this.controlSeen = 0;
  }
  async syncToFs() {
    this.walSyncedAt = this.syncNewer('pg_wal', this.walSyncedAt);
    const control = this.modified(path.join(this.rootDir, 'global', 'pg_control'));
    if (control !== this.controlSeen) {
      this.controlSeen = control;
      const since = this.dataSyncedAt;
      this.dataSyncedAt = Date.now();
      for (const folder of ['global', 'base', 'pg_xact', 'pg_multixact', 'pg_logical']) this.syncNewer(folder, since);
    }
  }
  modified(file) {
    return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }
  syncNewer(folder, since) {
    const startedAt = Date.now();
    for (const entry of fs.readdirSync(path.join(this.rootDir, folder), { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      const file = path.join(this.rootDir, name);
      if (entry.isDirectory()) {
        if (folder !== 'pg_wal') this.syncNewer(name, since);
      } else if (this.modified(file) >= since - CLOCK_GRAIN_MS) {
        let handle;
        try {
          handle = fs.openSync(file, 'r+');
          fs.fdatasyncSync(handle);
        } catch (error) {
          if (error.code !== 'ENOENT') throw error; // dropped meanwhile
        } finally {
          if (handle !== undefined) fs.closeSync(handle);
        }
      }
    }
    return startedAt;
  }
}

async function main() {
  const { dataDir, socketPath, template, sync } = workerData;
  const options = {
    startParams: [
      ...PGlite.defaultStartParams,
      ...['shared_buffers=16MB', 'random_page_cost=1.1', 'jit=off', 'timezone=UTC'].flatMap((one) => ['-c', one]),
    ],
  };
  if (template) options.loadDataDir = new Blob([fs.readFileSync(template)]);
  if (dataDir) options.fs = sync ? new SyncedNodeFS(dataDir) : new NodeFS(dataDir);
  const db = await PGlite.create(options);
  const server = new PGLiteSocketServer({ db, path: socketPath, maxConnections: 4 });
  await server.start();
  parentPort.on('message', async (message) => {
    try {
      if (message.kind === 'dump') {
        const dump = await db.dumpDataDir('gzip');
        fs.writeFileSync(message.file, Buffer.from(await dump.arrayBuffer()));
        parentPort.postMessage({ kind: 'dumped' });
      } else if (message.kind === 'stop') {
        await server.stop();
        await db.close();
        parentPort.postMessage({ kind: 'stopped' });
        parentPort.close();
      }
    } catch (error) {
      parentPort.postMessage({ kind: 'failed', message: String(error?.message ?? error) });
    }
  });
  parentPort.postMessage({ kind: 'ready' });
}
main().catch((error) => {
  parentPort.postMessage({ kind: 'failed', message: String(error?.message ?? error) });
  parentPort.close();
});
