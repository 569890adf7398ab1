/** The second part of `npm start`, once everything is installed: build, publish, migrate, seed, serve. */

import { once } from 'node:events';
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import { liveReleases } from '@shop/server/live-releases.plugin';
import { runMain } from '@shop/server/run-main';
import { publishBuilds } from './publish-builds';
import { browserGateOrReason } from './release/shop-gate';
import { openShopStore } from './shop-store';

async function serve(): Promise<void> {
  if (process.argv.includes('--demo')) process.env.DEMO = 'on';
  const dataDir = path.resolve(process.env.DATA_DIR || '.data');
  const port = readPort('PORT', 8080);
  for (const portToUse of [port, readPort('STAFF_PORT', port === 0 ? 0 : 8081)]) await requireFreePort(portToUse);
  requireFolder(dataDir);
  const store = openShopStore(process.env, { dataDir });
  await publishBuilds(store);
  let url = '';
  const backOffice = backOfficeWithReleases({
    store,
    address: () => url,
    browserGate: () => browserGateOrReason(url, process.env, { strict: true, hint: 'a reason' }),
  });
  const server = await runMain(backOffice, [liveReleases({ store })]);
  url = server.url;
  // For `npm run release`, whose browser check needs a running shop on the same data.
  writeFileSync(path.join(dataDir, 'shop-url'), `${url}\n`);
  writeFileSync(path.join(dataDir, 'staff-url'), `${server.staffUrl}\n`);
}

function readPort(name: string, initial: number): number {
  const port = Number(process.env[name] || initial);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`${name}=${process.env[name]} is not a port number.`);
}

function requireFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new Error(`The data folder ${dataDir} cannot be used (${reason}). Choose another one with DATA_DIR=…`);
  }
}

/** Reports a port in use before the build. */
async function requireFreePort(port: number): Promise<void> {
  const probe = createServer().listen(port);
  await once(probe, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is already in use. Choose others with PORT=… and STAFF_PORT=…`);
  });
  await new Promise((closed) => probe.close(closed));
}

serve().catch((error: unknown) => {
  // Known errors get one clear line, others a stack.
  console.error(error instanceof Error ? error.message : String(error));
  if (process.env.DEBUG && error instanceof Error) console.error(error.stack);
  process.exit(1);
});
