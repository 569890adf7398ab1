import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { create } from 'tar';
import { secretFiles } from '../config';
import type { AppContext } from '../context';
import { uploadsFolder } from '../providers/local-pictures';
import { embeddedFolder } from '../start';
import { runTool, StaffError } from './common';

const ATTEMPTS = 5;

/** Names in the archive: a folder of the embedded database, or a dump of PostgreSQL; and the pictures of the data folder. */
export const parts = { embedded: 'pgdata', postgres: 'database.dump', uploads: 'uploads' } as const;

/**
 * Writes the database as it is at one moment, and the pictures of the data folder, to a file: of PostgreSQL while the shop runs. The
 * embedded database is this process's alone meanwhile, so its folder stands still. The file is there when it is whole, and not
 * before. No key is in it.
 */
export async function backup({ db, config }: AppContext, name: string, databaseUrl?: string): Promise<string> {
  const file = path.resolve(name);
  const draft = draftFolder(file);
  try {
    if (databaseUrl)
      runTool('pg_dump', [
        '--format=custom',
        '--no-privileges',
        '--no-owner',
        `--file=${path.join(draft, parts.postgres)}`,
        databaseUrl,
      ]);
    else {
      await db.script('checkpoint');
      fs.symlinkSync(path.resolve(embeddedFolder(config.dataDir), 'pgdata'), path.join(draft, parts.embedded));
    }
    // After the database: a picture is there before a row names it, and never changes.
    const uploads = uploadsFolder(config.dataDir);
    if (fs.existsSync(uploads)) fs.symlinkSync(path.resolve(uploads), path.join(draft, parts.uploads));
    const packed = path.join(draft, 'packed');
    const names = fs.readdirSync(draft);
    for (let attempt = 1; ; attempt++) {
      try {
        await pipeline(
          create({ cwd: draft, follow: true }, names),
          createGzip({ level: 1 }),
          fs.createWriteStream(packed, { flush: true }),
        );
        break;
      } catch (error) {
        // A picture was removed between its listing and its copy.
        if (attempt === ATTEMPTS || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    fs.renameSync(packed, file);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
  return `Saved to ${name}. Keep ${secretFiles.join(' and ')} of the data folder (or APP_SECRET and CARD_KEYS) in another place.`;
}

/** Beside the file, on the disk that has room for it. */
function draftFolder(file: string): string {
  try {
    return fs.mkdtempSync(`${file}.part-`);
  } catch (error) {
    throw new StaffError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
