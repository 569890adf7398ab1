import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { findBinaries } from '../../../server/test/support/postgres';

const run = promisify(execFile);

export interface PgbenchOptions {
  /** Folder of the server's socket. */
  socket: string;
  database: string;
  /** Folder for the script. */
  folder: string;
  script: string;
  clients: number;
  seconds: number;
}

/** Transactions a second of pgbench with prepared statements. */
export async function pgbench({ socket, database, folder, script, clients, seconds }: PgbenchOptions): Promise<number> {
  const file = path.join(folder, 'pgbench.sql');
  fs.writeFileSync(file, script);
  const { stdout } = await run(path.join(findBinaries('pgbench') ?? '', 'pgbench'), [
    ...['-h', socket, '-U', 'postgres', '-n', '-M', 'prepared', '-f', file, '-c', String(clients), '-j', '1'],
    ...['-T', String(seconds), database],
  ]);
  const rate = /tps = ([\d.]+) \(without initial/.exec(stdout)?.[1] ?? /tps = ([\d.]+)/.exec(stdout)?.[1];
  if (!rate) throw new Error(`pgbench said nothing of its rate:\n${stdout}`);
  return Number(rate);
}
