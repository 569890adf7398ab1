import { openStore } from '@platform/releases';
import { backOffice } from '@shop/backoffice';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import { startServer } from '@shop/server/start';
import fastify from 'fastify';

export type Subject =
  | { kind: 'hello' }
  /** On PostgreSQL at databaseUrl, otherwise on PGlite in dataDir. `releases` is the folder of a release store, to serve documents too. */
  | { kind: 'shop'; dataDir: string; databaseUrl?: string; seed?: boolean; releases?: string };

/** Fixed keys, because a start creates no keys for a database that holds data. */
const keys = {
  APP_SECRET: 'the secret of a measured shop',
  CARD_KEYS: `local:${Buffer.alloc(32, 'key').toString('base64')}`,
  // The server still counts each user's payments but never asks for a proof.
  WALLET_PROOF_ABOVE: 'CNY=90000000.00,USD=90000000.00',
};

async function start(subject: Subject): Promise<string> {
  if (subject.kind === 'hello') {
    const app = fastify();
    app.get('/', async () => ({ hello: 'world' }));
    return app.listen({ port: 0, host: '127.0.0.1' });
  }
  const office = subject.releases
    ? backOfficeWithReleases({ store: openStore({ place: subject.releases }) })
    : backOffice();
  const { port } = await startServer({
    port: 0,
    host: '127.0.0.1',
    dataDir: subject.dataDir,
    databaseUrl: subject.databaseUrl,
    seed: subject.seed ?? false,
    logger: false,
    env: { ...keys, ...(subject.releases && { SHOP_RENDER: 'on' }) },
    backOffice: office,
  });
  return `http://127.0.0.1:${port}`;
}

process.on('message', (message: Subject | 'usage') => {
  if (message === 'usage')
    process.send?.({ rss: process.memoryUsage.rss(), cpuMicros: process.cpuUsage().user + process.cpuUsage().system });
  else start(message).then((url) => process.send?.({ url }), fail);
});
process.on('disconnect', () => process.exit());

function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}
