'use strict';
/* PGlite on a folder that survives a power cut. Plain JavaScript, as pglite-worker.cjs, whose part it is. */
const fs = require('node:fs');
const path = require('node:path');
const { PGlite } = require('@electric-sql/pglite');
const { NodeFS } = require('@electric-sql/pglite/nodefs');

/**
 * PGlite's file system ignores fsync, so a power cut could lose what was acknowledged. Here PostgreSQL's own calls reach the
 * disk, in its own order: the write-ahead log before a commit is answered, data files before a checkpoint forgets their log.
 */
class SyncedNodeFS extends NodeFS {
  async init(pg, options) {
    const { emscriptenOpts } = await super.init(pg, options);
    const hearSync = ({ FS }) => {
      FS.filesystems.NODEFS.stream_ops.fsync = ({ nfd, node }) => {
        if (FS.isDir(node.mode)) fs.fsyncSync(nfd);
        // With the size but without the time of change: half the disk's work.
        else fs.fdatasyncSync(nfd);
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...emscriptenOpts.preRun, hearSync] } };
  }
}

/** A folder that has just been unpacked: PostgreSQL takes it for one that is on the disk. */
function syncTree(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(name);
    else syncOne(name);
  }
  syncOne(folder);
}
function syncOne(name) {
  const handle = fs.openSync(name, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** PGlite's defaults but for -F, which is "never sync". Of PostgreSQL's ways to sync the log, its runtime passes on fsync alone. */
const startParams = [
  ...PGlite.defaultStartParams.filter((one) => one !== '-F'),
  ...[
    'fsync=on',
    'wal_sync_method=fsync',
    'shared_buffers=16MB',
    'random_page_cost=1.1',
    // PGlite has no autovacuum: a statement prepared while its table was small would always scan it whole.
    'enable_seqscan=off',
    'jit=off',
    'timezone=UTC',
  ].flatMap((one) => ['-c', one]),
];

module.exports = { SyncedNodeFS, startParams, syncTree };
