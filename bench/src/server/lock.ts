import { setTimeout as sleep } from 'node:timers/promises';
import { connectPostgres } from '../../../server/src/platform/db/database';
import { type OpenRequest, openLoop } from './open-loop';
import { type Kind, kinds, type Rig } from './shops';
import { tokenOf } from './stock-shop';

const size = { goods: 500, cardGoods: 40, cardsPerSpec: 20, people: 1000 };
const PER_SECOND = 500;

/** Answers to calls of one sort at a fixed pace; ms as in open-loop.ts. */
interface Answers {
  calls: number;
  p50: number;
  p99: number;
  /** 503 with Retry-After. */
  busy: number;
  failed: number;
}
export interface LockRow {
  database: Kind;
  /** Whether the calls need the locked table. On PGlite a lock holds the one connection, so that whatever asks the database needs it. */
  needs: boolean;
  calls: string[];
  free: Answers;
  locked: Answers;
  /** p99 with the lock to p99 without. */
  ratio: number;
  /** From the end of the lock to the first success of a call that needs the table. */
  recoveredMs?: number;
}

const guest = { currency: 'CNY' };
const get = (name: string, path: string, person?: number): OpenRequest => ({
  name,
  method: 'GET',
  path,
  headers: person === undefined ? guest : { ...guest, authorization: `Bearer ${tokenOf(person)}` },
});
type Make = (turn: number) => OpenRequest;
const api = '/api/front';
const person = (turn: number) => 1 + (turn % size.people);
const needsOrders: Make[] = [
  (turn) => get('my orders', `${api}/order/list`, person(turn)),
  (turn) => get('order detail', `${api}/order/info?order_no=NOSUCHORDER${1000 + (turn % 9000)}`, person(turn)),
];
const needsOthers: Make[] = [
  (turn) => get('list', `${api}/goods/list?page=${1 + (turn % 10)}`),
  (turn) => get('detail', `${api}/goods/info?id=${1 + (turn % size.goods)}`),
  (turn) => get('recharge options', `${api}/recharge/options`, person(turn)),
  (turn) => get('payment methods', `${api}/payment/methods`, person(turn)),
];
const needsNothing: Make[] = [() => get('hello', '/hello')];

export async function measureLock(rig: Rig, seconds: number, log: (line: string) => void): Promise<LockRow[]> {
  const rows: LockRow[] = [];
  for (const database of kinds) {
    const shop = await rig.openShop(database, size);
    const parts: Array<{ needs: boolean; makes: Make[] }> =
      database === 'PostgreSQL'
        ? [
            { needs: false, makes: needsOthers },
            { needs: true, makes: needsOrders },
          ]
        : [
            { needs: false, makes: needsNothing },
            { needs: true, makes: [...needsOrders, ...needsOthers] },
          ];
    const run = (duration: number) => runOnce(shop.url, duration, parts);
    const lock = async () => {
      if (database === 'PGlite') {
        await fetch(`${shop.url}/hold?ms=${seconds * 1000}`);
        return;
      }
      const db = await connectPostgres((await rig.postgresServer()).url(shop.name), { max: 1 });
      await db.withTransaction(async (sql) => {
        await sql.script('lock table orders in access exclusive mode');
        await sleep(seconds * 1000);
      });
      await db.close();
    };
    await run(3);
    const free = await run(seconds);
    const unlocked = lock().then(() => recovery(shop.url));
    const locked = await run(seconds);
    const recoveredMs = await unlocked;
    await shop.stop();
    for (const [index, { needs }] of parts.entries()) {
      const [before, during] = [free[index], locked[index]] as [Measured, Measured];
      const ratio = during.answers.p99 / before.answers.p99;
      rows.push({
        database,
        needs,
        calls: before.names,
        free: before.answers,
        locked: during.answers,
        ratio,
        ...(needs ? { recoveredMs } : {}),
      });
      log(
        `${database}, ${before.names.join(', ')}: p99 ${before.answers.p99.toFixed(1)} ms, with the lock ${during.answers.p99.toFixed(1)} ms (${ratio.toFixed(2)}), ${during.answers.busy} busy, ${during.answers.failed} failed`,
      );
    }
  }
  return rows;
}

interface Measured {
  names: string[];
  answers: Answers;
}

/** Half of the calls are of each part. */
async function runOnce(url: string, seconds: number, parts: Array<{ makes: Make[] }>): Promise<Measured[]> {
  let turn = 0;
  const found = parts.map(() => ({ names: new Set<string>(), times: [] as number[], busy: 0, failed: 0 }));
  await openLoop({
    url,
    perSecond: PER_SECOND,
    seconds,
    next: () => {
      const index = turn % parts.length;
      const { makes } = parts[index] as { makes: Make[] };
      const request = (makes[Math.floor(turn / parts.length) % makes.length] as Make)(turn);
      turn += 1;
      found[index]?.names.add(request.name);
      return request;
    },
    onAnswer: (name, ms, status) => {
      const part = found.find((one) => one.names.has(name));
      if (!part) return;
      part.times.push(ms);
      if (status === 503) part.busy += 1;
      else if (status !== 200) part.failed += 1;
    },
  });
  return found.map(({ names, times, busy, failed }) => {
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
    return { names: [...names], answers: { calls: times.length, p50: at(0.5), p99: at(0.99), busy, failed } };
  });
}

async function recovery(url: string): Promise<number> {
  const startedAt = performance.now();
  const { path, headers } = (needsOrders[0] as Make)(1);
  while ((await fetch(url + path, { headers })).status !== 200) await sleep(5);
  return performance.now() - startedAt;
}
