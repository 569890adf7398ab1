import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from '../../../scripts/jest/until';
import { findProgram } from '../../../scripts/setup/programs.mjs';
import { connectPostgres } from '../../src/platform/db/database';

export const postgresUrl = (folder: string, database: string) =>
  `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`;

export async function createDatabase(name: string, template?: string): Promise<string> {
  const folder = process.env.SHOP_TEST_POSTGRES ?? '';
  const admin = await connectPostgres(postgresUrl(folder, 'postgres'), { max: 1 });
  await admin.script(`create database ${name}${template ? ` template ${template}` : ''}`);
  await admin.close();
  return postgresUrl(folder, name);
}

export type PostgresServer = NonNullable<Awaited<ReturnType<typeof startPostgres>>>;

/**
 * Starts a PostgreSQL in a temporary folder, on a Unix socket only; undefined if none is installed. A durable one keeps
 * PostgreSQL's defaults of fsync, synchronous_commit and full_page_writes, so it survives a crash.
 */
export async function startPostgres({ durable = false } = {}) {
  const initdb = findProgram('initdb');
  if (!initdb) return undefined;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-pg-'));
  const data = path.join(folder, 'data');
  // PostgreSQL refuses to run as root; it then runs as the system user `postgres`, or as `nobody`.
  const owner = process.getuid?.() === 0 ? (idsOf('postgres') ?? idsOf('nobody')) : undefined;
  if (owner) fs.chownSync(folder, owner.uid, owner.gid);
  execFileSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], {
    ...owner,
    stdio: 'ignore',
    cwd: folder,
  });
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    // Data of the others need not outlive the run, and each of their many databases would be vacuumed.
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'autovacuum=off']),
    'max_connections=200',
    'shared_buffers=64MB',
  ];
  const url = (database: string) => postgresUrl(folder, database);
  let child: ChildProcess;
  const launch = () =>
    spawn(
      path.join(path.dirname(initdb), 'postgres'),
      ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
      {
        ...owner,
        stdio: 'ignore',
        cwd: folder,
        // A separate process group, so that a kill reaches the backends too.
        detached: true,
      },
    );
  const start = async () => {
    child = launch();
    await until('PostgreSQL', async () => {
      // After a kill it refuses to start while an old backend still holds the shared memory.
      if (child.exitCode !== null) child = launch();
      const db = await connectPostgres(url('postgres'), { max: 1 }).catch(() => undefined);
      await db?.close();
      return db;
    });
  };
  // Stops the server even if the test runner dies.
  process.once('exit', () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL');
  });
  const ended = async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  await start();
  return {
    folder,
    url,
    stop: async () => {
      child.kill('SIGINT');
      await ended();
      // Each database has hundreds of files, and nothing needs to wait until they are removed.
      spawn('rm', ['-rf', folder], { detached: true, stdio: 'ignore' }).unref();
    },
    kill: async () => {
      process.kill(-(child.pid as number), 'SIGKILL');
      await ended();
    },
    /** Stops its processes, which simulates a machine that hangs; the returned function continues them. */
    freeze: () => {
      const postmaster = String(child.pid);
      const backends = execFileSync('ps', ['-o', 'pid=', '--ppid', postmaster]).toString().trim().split(/\s+/);
      const send = (signal: NodeJS.Signals) => {
        for (const pid of [postmaster, ...backends]) process.kill(Number(pid), signal);
      };
      send('SIGSTOP');
      return () => send('SIGCONT');
    },
    restart: start,
  };
}

function idsOf(user: string): { uid: number; gid: number } | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}
