/** The rest of `npm start`, once everything is installed: build, publish, migrate, seed, serve. */
import path from 'node:path';
import { main } from '@shop/server/main';
import { publishBuilds } from './publish-builds';

async function serve(): Promise<void> {
  const dataDir = path.resolve(process.env.DATA_DIR || '.data');
  await main({ dataDir, prepare: () => publishBuilds(dataDir, (line) => console.log(line)) });
}

serve().catch((error: unknown) => {
  // One clear line; the stack only for what nobody foresaw.
  console.error(error instanceof Error ? error.message : String(error));
  if (process.env.DEBUG && error instanceof Error) console.error(error.stack);
  process.exit(1);
});
