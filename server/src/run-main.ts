import { banner } from './banner';
import type { ReleasePlugin } from './ops/release-plugins';
import { StartError, startServer } from './start';

const STOP_MS = 10_000;

/**
 * The program: PORT (8080), DATA_DIR (.data), DATABASE_URL. A fault of the surroundings is one line and exit 1.
 * Resolves to the address once it serves.
 */
export async function runMain(plugins: ReleasePlugin[] = []): Promise<string> {
  const { PORT = '8080', DATA_DIR = '.data', DATABASE_URL, LOG } = process.env;
  try {
    const port = Number(PORT);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new StartError(`PORT=${PORT} is not a port number.`);
    const server = await startServer({
      port,
      dataDir: DATA_DIR,
      databaseUrl: DATABASE_URL,
      plugins,
      logger: LOG !== 'off',
    });
    const stop = () => {
      setTimeout(() => process.exit(1), STOP_MS).unref();
      server.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    };
    process.once('SIGTERM', stop).once('SIGINT', stop);
    console.log(banner(server));
    return server.url;
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    return process.exit(1);
  }
}
