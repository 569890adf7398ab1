import { authorOf, type ReleaseKeys } from '@platform/releases';
import type { App } from '@shop/server/platform/http/request';
import { answers, KeyBodySchema, KeyIdSchema, tags } from './ops-api.schemas';
import type { ReleaseApi } from './release-api';

const DAY_MS = 86_400_000;
/** Only staff need a fresh code: programs have no second factor. */
const freshCode = { config: { freshCode: true } } as const;

export function keyRoutes(app: App, api: ReleaseApi, keys: ReleaseKeys): void {
  app.get('/keys', { schema: { tags, response: answers } }, async (request) => {
    api.requireAllowed(request, { action: 'manage keys' }, null, { lists: true });
    return { result: await keys.list() };
  });
  app.post('/keys', { ...freshCode, schema: { tags, body: KeyBodySchema, response: answers } }, async (request) => {
    const { name, role, remotes = [], channels = [], maxTraffic, days = 90 } = request.body;
    const grant = { role, remotes, channels, maxTraffic };
    const identity = api.requireAllowed(request, { action: 'manage keys' }, null, { makes: name, ...grant });
    return { result: await keys.make({ name, ...grant, by: authorOf(identity), lifetime: days * DAY_MS }) };
  });
  app.delete(
    '/keys/:id',
    { ...freshCode, schema: { tags, params: KeyIdSchema, response: answers } },
    async (request) => {
      const { id } = request.params;
      const identity = api.requireAllowed(request, { action: 'manage keys' }, null, { revokes: id });
      return { result: await keys.revoke(id, authorOf(identity)) };
    },
  );
}
