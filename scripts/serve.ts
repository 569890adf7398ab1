/** The rest of `npm start`, once everything is installed: build, publish, migrate, seed, serve. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { openStore } from '@shop/release';
import { releasePlugins } from '@shop/server/releases';
import { runMain } from '@shop/server/run-main';
import { publishBuilds } from './publish-builds';

async function serve(): Promise<void> {
  const dataDir = path.resolve(process.env.DATA_DIR || '.data');
  await requireFreePort(Number(process.env.PORT || 8080));
  await publishBuilds(dataDir, (line) => console.log(line));
  const { plugins, opsToken, opsTokenIsRandom } = releasePlugins({ store: openStore({ dataDir }) });
  await runMain(plugins);
  // For `npm run release`, whose browser check needs a running shop on the same data.
  writeFileSync(path.join(dataDir, 'shop-url'), `http://localhost:${process.env.PORT || 8080}\n`);
  if (opsTokenIsRandom) console.log(`  Releases and rollback: /ops, token ${opsToken} (set OPS_TOKEN to choose it)`);
}

/** A taken port is told at once, before anything is built. */
function requireFreePort(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is already in use. Choose another one with PORT=…`)
          : error,
      ),
    );
    probe.listen(port, () => probe.close(() => resolve()));
  });
}

serve().catch((error: unknown) => {
  // One clear line; the stack only for what nobody foresaw.
  console.error(error instanceof Error ? error.message : String(error));
  if (process.env.DEBUG && error instanceof Error) console.error(error.stack);
  process.exit(1);
});
