import { backOffice } from '@shop/backoffice';
import { runMain, runMigrations } from '@shop/server/run-main';

/**
 * The server without a build: the API, and with RELEASE_STORE the documents and files of the live releases. `migrate` updates the
 * database and exits.
 */
async function main(): Promise<void> {
  if (process.argv[2] === 'migrate') return runMigrations();
  let url = '';
  const place = process.env.RELEASE_STORE;
  ({ url } = await (place ? runWithReleases(place, () => url) : runMain(backOffice())));
}

function runWithReleases(place: string, address: () => string) {
  // Loaded on demand: the API alone needs none of it.
  const { openStore } = require('@platform/releases') as typeof import('@platform/releases');
  const { backOfficeWithReleases } = require('@shop/backoffice/releases') as typeof import('@shop/backoffice/releases');
  const { liveReleases } =
    require('@shop/server/live-releases.plugin') as typeof import('@shop/server/live-releases.plugin');
  const store = openStore({ place });
  return runMain(backOfficeWithReleases({ store, address }), [liveReleases({ store })]);
}

void main();
