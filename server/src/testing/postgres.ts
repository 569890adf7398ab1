import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectPostgres } from '../db/database';

export const postgresUrl = (folder: string, database: string) =>
  `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`;

export interface PostgresServer {
  folder: string;
  url(database: string): string;
  stop(): Promise<void>;
}

/** A PostgreSQL of its own in a temporary folder, on a Unix socket only. undefined when none is installed. */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const bin = findBinaries();
  if (!bin) return undefined;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-pg-'));
  const data = path.join(folder, 'data');
  // PostgreSQL refuses to run as root; it then runs as the system's "postgres", or as "nobody".
  const owner = process.getuid?.() === 0 ? (idsOf('postgres') ?? idsOf('nobody')) : undefined;
  if (owner) fs.chownSync(folder, owner.uid, owner.gid);
  execFileSync(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    {
      ...owner,
      stdio: 'ignore',
      cwd: folder,
    },
  );
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    'max_connections=200',
    'shared_buffers=64MB',
  ];
  const child = spawn(path.join(bin, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
    ...owner,
    stdio: 'ignore',
    cwd: folder,
  });
  const url = (database: string) => postgresUrl(folder, database);
  for (let attempt = 0; ; attempt++) {
    try {
      await (await connectPostgres(url('postgres'), 1)).close();
      break;
    } catch (error) {
      if (attempt > 100) throw error;
      await sleep(100);
    }
  }
  return {
    folder,
    url,
    stop: async () => {
      child.kill('SIGINT');
      if (child.exitCode === null) await once(child, 'exit');
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of PostgreSQL's programs; `also` names one that must be among them. */
export function findBinaries(also?: string): string | undefined {
  const installed = '/usr/lib/postgresql';
  const versions = fs.existsSync(installed) ? fs.readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    ...versions.map((one) => path.join(installed, one, 'bin')),
  ];
  return places.find(
    (place) =>
      place && ['initdb', 'postgres', ...(also ? [also] : [])].every((name) => fs.existsSync(path.join(place, name))),
  );
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
