import { runMain, runMigrations } from '@shop/server/run-main';

/**
 * The server without a build: the API, and with RELEASE_STORE the documents and files of what is live there, and /ops.
 * `migrate` brings the database up to date and ends.
 */
async function main(): Promise<void> {
  if (process.argv[2] === 'migrate') return runMigrations();
  let url = '';
  url = await runMain(process.env.RELEASE_STORE ? pluginsOfStore(() => url) : []);
}

function pluginsOfStore(address: () => string) {
  // Loaded only here: the API alone needs none of it.
  const { openStore } = require('@platform/releases') as typeof import('@platform/releases');
  const { releasePlugins } = require('@shop/backoffice/ops/release-plugins') as typeof import('@shop/backoffice/ops/release-plugins');
  return releasePlugins({ store: openStore(), address }).plugins;
}

void main();
