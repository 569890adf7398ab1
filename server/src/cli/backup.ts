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

export const parts = { embedded: 'pgdata', postgres: 'database.dump', uploads: 'uploads' } as const;

/**
 * Writes the database as of one moment, and the pictures of the data folder, to a file. PostgreSQL can be backed up while the
 * shop runs; the embedded database belongs to this process meanwhile, so its folder does not change. The file appears only when
 * it is complete. It holds no key.
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
    // Pictures are copied after the database: a picture exists before a row names it, and never changes.
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
        // A picture was removed between its listing and its copy, so the archive is packed again.
        if (attempt === ATTEMPTS || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    fs.renameSync(packed, file);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
  return `Saved to ${name}. Keep ${secretFiles.join(' and ')} of the data folder (or APP_SECRET and CARD_KEYS) in another place.`;
}

/** The draft is next to the file, because that disk has room for it. */
function draftFolder(file: string): string {
  try {
    return fs.mkdtempSync(`${file}.part-`);
  } catch (error) {
    throw new StaffError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
