/** Everything of the server that belongs to releases, around one store: the page, health with its watcher, and /ops. */
import { randomBytes } from 'node:crypto';
import { withStaticSite } from '@shop/document';
import { mapSource, type Store } from '@shop/release';
import type { FastifyPluginAsync } from 'fastify';
import { documentPlugin } from '../document/document.plugin';
import { healthPlugin } from '../health/health.plugin';
import { HealthCounts } from '../health/health-counts';
import { type Bounds, watchOnce } from '../health/watcher';
import { opsPlugin } from './ops.plugin';
import { opsSession } from './ops-session';

export interface ReleasePluginsOptions {
  store: Store;
  channel?: string;
  /** Default: OPS_TOKEN, else a random one. */
  opsToken?: string;
  bounds?: Bounds;
  /** Milliseconds between two looks of the watcher; 0 turns it off. */
  watchEvery?: number;
}

export interface ReleasePlugins {
  plugins: FastifyPluginAsync[];
  opsToken: string;
  /** Made up at this start, so that it must be told. */
  opsTokenIsRandom: boolean;
}

export function releasePlugins(options: ReleasePluginsOptions): ReleasePlugins {
  const { channel = 'production', bounds, watchEvery = 5_000 } = options;
  const store = withStaticSite(options.store);
  const given = options.opsToken ?? process.env.OPS_TOKEN;
  const opsToken = given || randomBytes(12).toString('base64url');
  const counts = new HealthCounts();
  const source = mapSource(store, channel);

  const watcher: FastifyPluginAsync = async (app) => {
    if (watchEvery <= 0) return;
    let looking: Promise<unknown> | null = null;
    const look = () => {
      looking ??= watchOnce({ store, source, counts, channel, bounds, log: (line) => app.log.warn(line) })
        .catch((error: unknown) => app.log.error({ err: error }, 'the watcher could not look'))
        .finally(() => {
          looking = null;
        });
    };
    const timer = setInterval(look, watchEvery).unref();
    app.addHook('onClose', async () => {
      clearInterval(timer);
      await looking;
    });
  };

  return {
    plugins: [
      documentPlugin({ store, channel, mayPreviewFrozen: opsSession(opsToken).mayPreview }),
      healthPlugin({ source, counts }),
      opsPlugin({ store, counts, token: opsToken, channel, bounds }),
      watcher,
    ],
    opsToken,
    opsTokenIsRandom: !given,
  };
}
