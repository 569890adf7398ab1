/** The panel's script and what it shows. Both are there for a browser with the right only; others get what any unknown address gives. */
import { type MapSource, type ReleaseMap, type Store, settingsOf } from '@platform/releases';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FindOverrideRight, OverrideRight } from './override-right';
import { PANEL_SCRIPT, PANEL_URL } from './panel-script';
import { readPanelState } from './read-panel-state';

const STATE_URL = '/overrides/state';
/** Whoever's right has ended must not have it from a cache. */
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', vary: 'cookie' };

export const hasPanel = (right: OverrideRight | null, map: ReleaseMap): right is OverrideRight =>
  right?.panel === true && settingsOf(map).overrides === 'on';

export function overrideRoutes(
  app: FastifyInstance,
  { store, source, rightOf }: { store: Store; source: MapSource; rightOf: FindOverrideRight },
): void {
  const forHolders =
    (answer: (right: OverrideRight, map: ReleaseMap, reply: FastifyReply) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const [right, map] = [await rightOf(request.headers.cookie), await source.get()];
      if (!hasPanel(right, map)) return reply.callNotFound();
      return answer(right, map, reply.headers(HEADERS));
    };
  app.get(
    PANEL_URL,
    forHolders(async (_right, _map, reply) => reply.type('text/javascript; charset=utf-8').send(PANEL_SCRIPT)),
  );
  app.get(
    STATE_URL,
    forHolders(async (right, map, reply) => reply.send(await readPanelState(store, map, right))),
  );
}
