import { type Kind, kinds, type Rig } from './shops';
import { startSubject } from './subjects';

export interface StartRow {
  database: Kind;
  /** ms from the start of the process to the first "ready": with migrations and the whole first catalogue, then without. */
  firstMs: number;
  laterMs: number;
  /** Resident bytes of the process ten seconds after the later start. */
  idleMemory: number;
}

/** Medians of `rounds`; the shop's own first catalogue. */
export async function measureStart(rig: Rig, rounds: number, log: (line: string) => void): Promise<StartRow[]> {
  const rows: StartRow[] = [];
  for (const database of kinds) {
    const first: number[] = [];
    const later: number[] = [];
    const memory: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const databaseUrl = database === 'PostgreSQL' ? (await rig.newDatabase()).url : undefined;
      const subject = { kind: 'shop', dataDir: rig.newFolder(), databaseUrl, seed: true } as const;
      for (const times of [first, later]) {
        const shop = await startSubject(subject);
        times.push(shop.startMs);
        if (times === later) {
          await new Promise((resolve) => setTimeout(resolve, 10_000));
          memory.push((await shop.usage()).rss);
        }
        await shop.stop();
      }
    }
    rows.push({ database, firstMs: median(first), laterMs: median(later), idleMemory: median(memory) });
    log(`${database}: first start ${median(first).toFixed(0)} ms, later ${median(later).toFixed(0)} ms`);
  }
  return rows;
}

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};
