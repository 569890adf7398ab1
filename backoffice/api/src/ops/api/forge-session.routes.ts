import type { Grant, ReleaseKeys } from '@platform/releases';
import type { App } from '@shop/server/platform/http/request';
import type { OpsAudit, UnknownCallers } from '../ops-audit';
import { ApiError } from './api-error';
import { requireSecure } from './callers';
import type { Forge } from './forge-settings';
import { answers, SessionBodySchema, tags } from './release.routes';

const FORGE_KEY_MS = 30 * 60_000;
const DAY_MS = 86_400_000;

interface ForgeSessionOptions {
  keys: ReleaseKeys;
  forges: readonly Forge[];
  audit: OpsAudit;
  unknownCallers: UnknownCallers;
  now?: () => number;
}

/** Needs no key: a job gets its key here. */
export function forgeSessionRoutes(app: App, { keys, forges, audit, unknownCallers, now }: ForgeSessionOptions): void {
  const forgeModule = forges.length > 0 ? (require('./forge-tokens') as typeof import('./forge-tokens')) : null;
  const forgeTokens = forgeModule && new forgeModule.ForgeTokens(forges, now);
  const schema = { tags, summary: "A short-lived key for a forge's token", body: SessionBodySchema, response: answers };
  app.post('/session', { schema }, async (request) => {
    requireSecure(request);
    if (!forgeModule || !forgeTokens)
      throw new ApiError('unauthorised', 401, 'this shop accepts no forge tokens (RELEASE_OIDC)');
    const refuse = (message: string) => {
      unknownCallers.refuse(request, { action: 'release.session.refuse', detail: { why: message } });
      return new ApiError('unauthorised', 401, message);
    };
    const verified = await forgeTokens.verify(request.body.token).catch((error: unknown) => {
      throw error instanceof forgeModule.ForgeTokenError ? refuse(error.message) : error;
    });
    if (!(await keys.takeOnce(verified.id, verified.expires + DAY_MS)))
      throw refuse('this token was used before; a token is good for one session');
    const { name, rule, source } = verified;
    const { role, remotes, maxTraffic, repository: by } = rule;
    const grant: Grant = { role, remotes, maxTraffic };
    const made = await keys.make({ ...grant, name, source, by, kind: 'forge', lifetime: FORGE_KEY_MS });
    audit(request, 'release.session.open', made.identity);
    return { result: made };
  });
}
