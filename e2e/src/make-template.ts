/** `npm test` runs this while the server tests run. It makes the template of global-setup.ts in the folder of its argument. */
import { startShop } from './shop';

startShop({ dataDir: process.argv[2] }).then((shop) => shop.stop());
