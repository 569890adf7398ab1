import { banner } from './banner';
import type { ReleasePlugin } from './ops/release-plugins';
import { invitationAddress, inviteFirst } from './staff/invitations.service';
import { openContext, type RunningServer, StartError, startServer } from './start';

/** For what runs when the draining is over: the longest call and the longest job. */
const STOP_MS = 20_000;

/**
 * The program: PORT (8080), DATA_DIR (.data), DATABASE_URL. A fault of the surroundings is one line and exit 1.
 * Resolves to the address once it serves.
 */
export function runMain(plugins: ReleasePlugin[] = []): Promise<string> {
  return orExit(async () => {
    const { PORT = '8080', LOG } = process.env;
    const port = Number(PORT);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new StartError(`PORT=${PORT} is not a port number.`);
    const server = await startServer({ ...places(), port, plugins, logger: LOG !== 'off' });
    const stop = () => {
      setTimeout(() => process.exit(1), server.context.config.drainMs + STOP_MS).unref();
      drainAndClose(server).then(
        () => process.exit(0),
        () => process.exit(1),
      );
    };
    process.once('SIGTERM', stop).once('SIGINT', stop);
    console.log(banner(server, await firstManagerAddress(server)));
    return server.url;
  });
}

async function firstManagerAddress({ context, url }: RunningServer): Promise<string | undefined> {
  const invitation = await inviteFirst(context);
  return invitation && invitationAddress(context.config.providers.publicUrl || url, invitation);
}

/** Migrations and first data, and no server: for a job that runs before servers of a new version start. */
export function runMigrations(): Promise<void> {
  return orExit(async () => {
    const context = await openContext({ ...places(), mayGoBack: true });
    await context.db.close();
    console.log('The database is ready.');
  });
}

const places = () => ({ dataDir: process.env.DATA_DIR ?? '.data', databaseUrl: process.env.DATABASE_URL });

async function drainAndClose(server: RunningServer): Promise<void> {
  await server.drain();
  await server.close();
}

async function orExit<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    return process.exit(1);
  }
}
