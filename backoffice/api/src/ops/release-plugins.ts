import { GateQueue, type GateStep, type Store } from '@platform/releases';
import type { BackOffice, ServerPlugin } from '@shop/server/context';
import { serverContract } from '@shop/server/server-contract';
import { backOffice } from '../back-office';
import { staffGuard } from '../people/staff-access';
import { staffPage } from '../staff-page.plugin';
import { type Forge, parseForges } from './api/forge-settings';
import { releaseApiForPrograms, releaseApiForStaff } from './api/ops-api.plugin';
import { opsAudit } from './ops-audit';
import { StateReader } from './state-reader';

export interface ReleasePluginsOptions {
  store: Store;
  /** It defaults to the forges of the environment. */
  forges?: Forge[];
  browserGate?: () => Promise<GateStep>;
  address?: () => string;
  now?: () => number;
}

const NO_BROWSER: GateStep = {
  check: 'browser',
  run: async () => [{ check: 'browser', outcome: 'failed', detail: 'this server has no browser to check it in' }],
};

/** A server without a database gets the release calls, but no staff calls. */
export function backOfficeWithReleases(options: ReleasePluginsOptions): BackOffice {
  const { store, browserGate, now } = options;
  const staff = backOffice();
  let { forges = [] } = options;
  /** Set by the plugin of the shop, which registers first: both servers share the gate's queue. */
  let forStaff: Omit<Parameters<typeof releaseApiForStaff>[0], 'admit'> | undefined;
  const releases: ServerPlugin = async (app, { context, pages }) => {
    const publicUrl = pages?.config.providers.publicUrl;
    const origin = publicUrl ? new URL(publicUrl).origin : '';
    const gateQueue = new GateQueue();
    const db = context?.db.as('write', 'ops');
    const webhooks = context?.config.webhooks ?? { urls: [], secret: '' };
    const audit = opsAudit(db);
    const shop = () => origin || (options.address?.() ?? '');
    const state = new StateReader({ store, shop, gateQueue, db, webhooks });
    const api = {
      store,
      server: serverContract,
      gateQueue,
      audit,
      onAction: state.forget,
      health: db && ((names?: readonly string[]) => state.report(names)),
      browserGate: browserGate ?? (async () => NO_BROWSER),
    };
    await app.register(releaseApiForPrograms({ ...api, forges, now }), { prefix: '/ops/api' });
    forStaff = { ...api, state };
  };
  const releasesConsole: ServerPlugin = async (app, { context, pages }) => {
    if (!context || !forStaff) return;
    const admit = staffGuard(context.db.as('write', 'staff'), context.config.staffUrl ?? '');
    await app.register(releaseApiForStaff({ ...forStaff, admit }), { prefix: '/staff/api/releases' });
    const pictureOrigins = pages?.config.pictureOrigins;
    await app.register(staffPage, { pictureOrigins });
  };
  return {
    ...staff,
    readSettings: (source) => {
      forges = options.forges ?? parseForges(source);
    },
    plugins: [releases],
    consolePlugins: [...staff.consolePlugins, releasesConsole],
  };
}
