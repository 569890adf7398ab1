/** Publishes the releases of this checkout and makes them live, as `npm start` does; RELEASE_STORE names the store. */

import { publishBuilds } from '../publish-builds';
import { openShopStore } from '../shop-store';

publishBuilds(openShopStore(process.env), (line) => console.log(line)).then(
  (releases) => {
    for (const { name, version, outcome } of releases) console.log(`${name} ${version}: ${outcome}`);
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
