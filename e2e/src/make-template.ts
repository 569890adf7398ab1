/** `npm test` starts this while the server's tests run: the template of global-setup.ts in the folder that is its argument. */
import { startShop } from './shop';

startShop({ dataDir: process.argv[2] }).then((shop) => shop.stop());
