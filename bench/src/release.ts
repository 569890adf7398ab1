/**
 * `npm run bench:release`: what a squad waits for, alone and all together, and how long ops wait after a rollback.
 * Without a browser; the gate's browser step is measured where it runs, by `npm run release -- gate <name>`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gate, openStore, promote, publish, rollback, toPublicMap, workspaceOf } from '@shop/release';
import fastify from 'fastify';
import { publishSample } from '../../release/src/testing/fixture';
import { buildWorkspaces, presentNames } from '../../scripts/build';
import { pagePlugin } from '../../server/src/page/page.plugin';

const root = path.resolve(__dirname, '..', '..');
const by = { by: 'bench' };
const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(2)} s`;

async function main(): Promise<void> {
  const place = mkdtempSync(path.join(os.tmpdir(), 'shop-bench-'));
  const store = openStore({ place });
  const names = presentNames();
  const dist = (name: string) => path.join(root, workspaceOf(name), 'dist');

  console.log('| release | build | publish | gate and promote |\n|---|---|---|---|');
  const all = performance.now();
  for (const name of ['shell', ...names.filter((one) => one !== 'shell')]) {
    const row = [name];
    let from = performance.now();
    await buildWorkspaces([name], { force: true });
    row.push(seconds(from));
    from = performance.now();
    await publish(store, { dist: dist(name), ...by });
    row.push(seconds(from));
    from = performance.now();
    const { version } = await promote(store, { ...by, name });
    await gate(store, { name, version });
    row.push(seconds(from));
    console.log(`| ${row.join(' | ')} |`);
  }
  console.log(`| all of them | ${seconds(all)} | | |\n`);

  const app = fastify();
  await app.register(pagePlugin({ store: openStore({ place }) }));
  const page = () => app.inject({ url: '/home', headers: { accept: 'text/html', 'accept-encoding': 'br' } });
  await page();
  const waits: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    // A small release of the same name: only the change of the map is measured.
    await publishSample(store, { name: 'bench-remote', text: `${round}` });
    await promote(store, { ...by, name: 'bench-remote' });
    if (round === 0) continue;
    await page();
    await rollback(store, { ...by, name: 'bench-remote' });
    const returned = performance.now();
    await page();
    waits.push(performance.now() - returned);
  }
  waits.sort((left, right) => left - right);
  console.log(
    `From "rollback" returning to the first new page: ${waits[Math.floor(waits.length / 2)]?.toFixed(1)} ms (median of ${waits.length})`,
  );

  const map = await app.inject({ url: '/releases/production.json', headers: { 'accept-encoding': 'br' } });
  const revalidation = await app.inject({
    url: '/releases/production.json',
    headers: { 'if-none-match': String(map.headers.etag) },
  });
  const headers = (answer: typeof map) => JSON.stringify(answer.headers).length;
  const perHour = 3600 / 45;
  console.log(
    `An idle tab asks ${perHour} times an hour: ${Math.round((perHour * headers(revalidation)) / 1000)} kB of 304s; a new map is ${map.rawPayload.length} bytes (brotli), ${JSON.stringify(toPublicMap(await store.readMap('production'))).length} plain`,
  );
  await app.close();
  rmSync(place, { recursive: true, force: true });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
