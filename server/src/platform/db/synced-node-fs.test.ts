import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

interface Synced {
  insert: string[];
  select: string[];
  checkpoint: string[];
  /** The file of the table that was written. */
  table: string;
}

// Names of open files stand in /proc.
const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux(
  'puts the log on the disk before a commit is answered, and the data before the log is forgotten',
  () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-test-'));
    const script = path.join(__dirname, '../../../test/support/synced-files.cjs');
    const { insert, select, checkpoint, table } = JSON.parse(
      execFileSync(process.execPath, [script, folder, process.env.SHOP_TEST_EMPTY ?? '']).toString(),
    ) as Synced;
    fs.rmSync(folder, { recursive: true });

    expect(insert).toEqual([expect.stringMatching(/^pg_wal\/[0-9A-F]{24}$/)]);
    expect(select).toEqual([]);
    expect(checkpoint).toContain(table);
    expect(checkpoint.indexOf(table)).toBeLessThan(checkpoint.indexOf('global/pg_control'));
  },
  60_000,
);
