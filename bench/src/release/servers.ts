/**
 * Four shop servers on one PostgreSQL and one bucket behind the caching proxy: how soon a rollback shows everywhere, and what a
 * rolling restart costs the shoppers.
 */
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { withStaticSite } from '@platform/pages';
import { openStore, promote, type ReleaseMap, rollback } from '@platform/releases';
import { startRadosgw } from '../../../scripts/setup/radosgw.mjs';
import {
  ask,
  type Fleet,
  type LoadFigures,
  publishCatalog,
  restartInTurn,
  startFleet,
  startLoad,
} from '../../../server/test/support/fleet';
import { spreadOf } from '../measure/statistics';
import { Rig } from '../server/shops';

const SERVERS = 4;
const SHOPPERS = 8;
const GOAL_MS = 2000;
const POLL_MS = 20;
/** For how long after a rollback each place is asked. */
const WATCH_MS = 4000;
/** A machine that does other work makes waits longer. */
const LOADED = 1;

const pages = { document: '/home', map: '/releases/production.json' } as const;
type Page = keyof typeof pages;

export interface ServersResult {
  machine: string;
  loadAverage: number;
  rounds: number;
  /** Milliseconds from the start of a rollback until the last answer with the release that was taken back, of each round and place. */
  servers: Record<Page, number[]>;
  proxy: Record<Page, number[]>;
  /** Of the rollback itself. */
  change: number[];
  restart: LoadFigures & { seconds: number };
}

export async function measureServers(rounds: number, say: (line: string) => void): Promise<ServersResult> {
  const loadAverage = os.loadavg()[0] ?? 0;
  const rig = new Rig();
  const gateway = await startRadosgw();
  let fleet: Fleet | undefined;
  try {
    // For this process, whose rollbacks they are, as well as for the servers.
    Object.assign(process.env, gateway.env);
    const { url: databaseUrl } = await rig.newDatabase();
    say(`starting ${SERVERS} servers …`);
    fleet = await startFleet({
      servers: SERVERS,
      databaseUrl,
      releaseStore: `s3://${gateway.bucket}/bench`,
      env: gateway.env,
    });
    say('rollbacks …');
    const rollbacks = await measureRollbacks(fleet, `s3://${gateway.bucket}/bench`, rounds);
    say('a rolling restart …');
    const from = performance.now();
    const load = startLoad(fleet, SHOPPERS);
    await restartInTurn(fleet);
    const restart = { ...(await load.stop()), seconds: (performance.now() - from) / 1000 };
    const machine = `Node ${process.versions.node}, ${os.availableParallelism()} cores, ${new Date().toISOString().slice(0, 10)}`;
    return { machine, loadAverage, rounds, ...rollbacks, restart };
  } finally {
    await fleet?.stop();
    await gateway.stop();
    await rig.close();
  }
}

async function measureRollbacks(fleet: Fleet, place: string, rounds: number) {
  const store = withStaticSite(openStore({ place }));
  const addresses = fleet.servers.map(({ port }) => `http://127.0.0.1:${port}`);
  const result: Pick<ServersResult, 'servers' | 'proxy' | 'change'> = {
    servers: { document: [], map: [] },
    proxy: { document: [], map: [] },
    change: [],
  };
  for (let round = 0; round < rounds; round += 1) {
    const bad = await publishCatalog(store, `bad ${round}`);
    await promote(store, { name: 'catalog', version: bad, by: 'bench' });
    for (const address of [...addresses, fleet.front.url])
      for (const page of Object.values(pages)) while (!(await shows(address + page, bad))) await sleep(POLL_MS);
    // Anywhere in the time for which a server keeps the map.
    await sleep(Math.random() * GOAL_MS);
    const from = performance.now();
    const watch = (address: string, page: Page) => lastSeen(address + pages[page], bad, from);
    const watched = (['document', 'map'] as const).map(async (page) => {
      const [proxy, ...servers] = await Promise.all([fleet.front.url, ...addresses].map((one) => watch(one, page)));
      result.proxy[page].push(proxy ?? 0);
      result.servers[page].push(...servers);
    });
    await rollback(store, { name: 'catalog', by: 'bench' });
    result.change.push(performance.now() - from);
    await Promise.all(watched);
  }
  return result;
}

/** The release of the catalogue that a document or a map has visitors use; a map also names others. */
async function shows(url: string, version: string): Promise<boolean> {
  const { text } = await ask(url);
  const [, json = text] = /id="release-map">([\s\S]*?)<\/script>/.exec(text) ?? [];
  const entries = (JSON.parse(json) as ReleaseMap).microFrontends.catalog ?? [];
  return entries.find(({ deployment }) => deployment.default)?.metadata.version === version;
}

/** Milliseconds from `from` until the last answer with this version. */
async function lastSeen(url: string, version: string, from: number): Promise<number> {
  let last = from;
  while (performance.now() - from < WATCH_MS) {
    if (await shows(url, version)) last = performance.now();
    await sleep(POLL_MS);
  }
  return last - from;
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;

function spread(values: number[]): string {
  const slowest = Math.max(...values);
  return `${seconds(spreadOf(values).median)} | ${seconds(slowest)}${slowest > GOAL_MS ? ' **over**' : ''}`;
}

export function serversTable(result: ServersResult): string {
  const { machine, loadAverage, rounds, servers, proxy, change, restart } = result;
  const load = `load average of ${loadAverage.toFixed(1)} before${loadAverage > LOADED ? ', **a loaded machine**' : ''}`;
  return `\`npm run bench:release -- --part servers\`, ${machine}, ${load}.
${SERVERS} servers, one PostgreSQL, one bucket (radosgw),
\`deploy/nginx/cdn.conf\` before them; ${rounds} rollbacks, each place asked every ${POLL_MS} ms; the goal is ${GOAL_MS / 1000} s.

| from the start of a rollback until | median | slowest |
| --- | --- | --- |
| its return | ${spread(change)} |
| the last document of a server with the release taken back | ${spread(servers.document)} |
| the last map of a server with it | ${spread(servers.map)} |
| the last document through the proxy | ${spread(proxy.document)} |
| the last map through the proxy | ${spread(proxy.map)} |

A rolling restart of the ${SERVERS} under ${SHOPPERS} shoppers took ${restart.seconds.toFixed(0)} s: ${restart.requests} requests, **${restart.failures.length} failed**, the slowest ${seconds(restart.slowest)};
${restart.rendered} of ${restart.documents} documents with their page rendered.`;
}
