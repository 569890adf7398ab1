import type { BackOffice, ServerPlugin } from './context';
import { StartError } from './platform/db/database';
import { Settings } from './platform/settings/settings';
import { DEMO_PASSWORD, DEMO_PHONE } from './seed/seed';
import { openContext, type RunningServer, startServer } from './start';

/** Time for the longest call and the longest job after draining. */
const STOP_MS = 20_000;

/**
 * Runs the server program: PORT (8080), STAFF_PORT (8081), DATA_DIR (.data), DATABASE_URL. An environment fault prints one line
 * and exits with 1. Resolves to the addresses once the server listens.
 */
export function runMain(
  backOffice: BackOffice,
  plugins: ServerPlugin[] = [],
): Promise<Pick<RunningServer, 'url' | 'staffUrl'>> {
  return orExit(async () => {
    const settings = new Settings(process.env);
    const port = settings.get('PORT');
    const staffPort = port === 0 && !settings.has('STAFF_PORT') ? 0 : settings.get('STAFF_PORT');
    settings.stopAtProblems();
    const server = await startServer({
      ...places(settings),
      port,
      staffPort,
      plugins,
      backOffice,
      logger: settings.get('LOG') !== 'off',
    });
    const stop = () => {
      setTimeout(() => process.exit(1), server.context.config.drainMs + STOP_MS).unref();
      server.drainAndClose().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    };
    process.once('SIGTERM', stop).once('SIGINT', stop);
    console.log(banner(server, await backOffice.notes(server.context, server.staffUrl)));
    return server;
  });
}

/** Runs migrations and initial data without a server: a job runs this before servers of a new version start. */
export function runMigrations(): Promise<void> {
  return orExit(async () => {
    const context = await openContext({ ...places(new Settings(process.env)), mayGoBack: true });
    await context.db.close();
    console.log('The database is ready.');
  });
}

const places = (settings: Settings) => ({
  dataDir: settings.get('DATA_DIR'),
  databaseUrl: settings.get('DATABASE_URL') || undefined,
});

async function orExit<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    return process.exit(1);
  }
}

/** The lines in the terminal once the server listens. */
function banner({ url, staffUrl, context }: RunningServer, notes: readonly string[]): string {
  const { payments, sms, mail, storage, wechatSignIn, suppliers } = context.config.providers;
  const lines = [`Shop ready: ${url}`, ...(staffUrl ? [`  Staff console: ${staffUrl}/staff`] : [])];
  if (context.config.sandbox) {
    if (context.config.demo) lines.push(`  Demo account: ${DEMO_PHONE}, password ${DEMO_PASSWORD}`);
    if (sms === 'outbox') lines.push(`  Verification codes: ${url}/dev/outbox`);
    if (mail === 'outbox') lines.push(`  Mails: ${url}/dev/mails`);
  }
  const methods = Object.entries(payments).map(([currency, codes]) => `${currency} ${codes.join(', ') || 'none'}`);
  const chosen = [
    `Payments: ${methods.join('; ')}`,
    `Messages: ${typeof sms === 'string' ? sms : 'tencent'}`,
    `Mail: ${typeof mail === 'string' ? mail : 'smtp'}`,
    `Pictures: ${typeof storage === 'string' ? storage : 's3'}`,
    `WeChat sign-in: ${typeof wechatSignIn === 'string' ? wechatSignIn : 'on'}`,
    `Stock types with a supplier: ${Object.keys(suppliers).length}`,
  ];
  return [...lines, `  ${chosen.join('. ')}.`, ...notes.map((note) => `  ${note}`)].join('\n');
}
