/** The process under measurement: a bare Fastify server, or a shop with the data folder and the database of its arguments. */
import { backOffice } from '@shop/backoffice';
import { startServer } from '@shop/server/start';
import fastify from 'fastify';

/** Fixed keys, because a start creates no keys for a database that holds data. */
const env = {
  APP_SECRET: 'the secret of a measured shop',
  CARD_KEYS: `local:${Buffer.alloc(32, 'key').toString('base64')}`,
  // The server still counts each user's payments but never asks for a proof.
  WALLET_PROOF_ABOVE: 'CNY=90000000.00,USD=90000000.00',
};

async function start([dataDir, databaseUrl]: string[]): Promise<string> {
  const address = { port: 0, host: '127.0.0.1' };
  if (!dataDir) {
    const app = fastify();
    app.get('/', async () => ({ hello: 'world' }));
    return app.listen(address);
  }
  const shop = { dataDir, databaseUrl, seed: false, logger: false, env, backOffice: backOffice() };
  const { port } = await startServer({ ...address, ...shop });
  return `http://127.0.0.1:${port}`;
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ rss: process.memoryUsage.rss(), cpuMicros: user + system });
});
process.on('disconnect', () => process.exit());
start(process.argv.slice(2)).then((url) => process.send?.({ url }));
