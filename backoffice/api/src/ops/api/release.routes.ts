import {
  ACTIONS,
  type ActionRequest,
  authorOf,
  DEFAULT_CHANNEL,
  history,
  publishBuild,
  type ReleaseKeys,
  refusalOf,
  releases,
  StoreError,
  status,
  UPLOAD_LIMITS,
  unpackBuild,
  verify,
} from '@platform/releases';
import type { App } from '@shop/server/platform/http/request';
import type { Static } from 'typebox';
import { ApiError } from './api-error';
import {
  actionSchemas,
  answers,
  HealthQuerySchema,
  HistoryQuerySchema,
  KeyBodySchema,
  KeyIdSchema,
  PublishQuerySchema,
  ReleasesQuerySchema,
  StatusQuerySchema,
  tags,
  VerifyQuerySchema,
} from './ops-api.schemas';
import type { ActionOptions, ReleaseApi } from './release-api';

export function readRoutes(app: App, api: ReleaseApi): void {
  const schema = { tags, response: answers };
  const { store, server, health } = api.options;
  app.get('/identity', { schema }, async (request) => ({ result: api.callerOf(request) }));
  app.get('/status', { schema: { ...schema, querystring: StatusQuerySchema } }, async ({ query }) => ({
    result: await status(store, query.channel),
  }));
  app.get('/releases', { schema: { ...schema, querystring: ReleasesQuerySchema } }, async ({ query }) => ({
    result: await releases(store, query),
  }));
  app.get('/history', { schema: { ...schema, querystring: HistoryQuerySchema } }, async ({ query }) => ({
    result: await history(store, query),
  }));
  app.get('/health', { schema: { ...schema, querystring: HealthQuerySchema } }, async (request) => {
    const { role, remotes = [] } = api.callerOf(request);
    const { name } = request.query;
    const names = role === 'squad' ? remotes : undefined;
    if (name && names && !names.includes(name))
      throw new ApiError('forbidden', 403, `this key sees the health of ${names.join(', ')}, not of ${name}`);
    const report = await health?.(name ? [name] : names);
    if (!report) throw new ApiError('failed', 503, 'health is unknown: the database does not answer, or there is none');
    return { result: report };
  });
  app.get('/verify', { schema: { ...schema, querystring: VerifyQuerySchema } }, async ({ query }) => ({
    result: await verify(store, { ...query, server }),
  }));
}

export function actionRoutes(app: App, api: ReleaseApi): void {
  for (const name of ACTIONS) {
    const isStreamed = name === 'promote' || name === 'gate';
    const response = isStreamed ? { default: answers.default } : answers;
    app.post<{ Body: Partial<ActionOptions> & Record<string, unknown> }>(
      `/${name}`,
      { schema: { tags, body: actionSchemas[name], response } },
      async (request, reply) => {
        const { channel = DEFAULT_CHANNEL, why, dryRun, ...rest } = request.body;
        const action = { action: name, ...rest } as unknown as ActionRequest;
        return api.answer(request, reply, action, { channel, why, dryRun });
      },
    );
  }
}

const DAY_MS = 86_400_000;
/** Only staff need a fresh code: programs have no second factor. */
const freshCode = { config: { freshCode: true } } as const;

export function keyRoutes(app: App, api: ReleaseApi, keys: ReleaseKeys): void {
  const schema = { tags, response: answers };
  app.get('/keys', { schema }, async (request) => {
    api.requireAllowed(request, { action: 'manage keys' }, null, { lists: true });
    return { result: await keys.list() };
  });
  app.post('/keys', { ...freshCode, schema: { ...schema, body: KeyBodySchema } }, async (request) => {
    const { name, role, remotes = [], channels = [], maxTraffic, days = 90 } = request.body;
    const grant = { role, remotes, channels, maxTraffic };
    const identity = api.requireAllowed(request, { action: 'manage keys' }, null, { makes: name, ...grant });
    return { result: await keys.make({ name, ...grant, by: authorOf(identity), lifetime: days * DAY_MS }) };
  });
  app.delete('/keys/:id', { ...freshCode, schema: { ...schema, params: KeyIdSchema } }, async (request) => {
    const { id } = request.params;
    const identity = api.requireAllowed(request, { action: 'manage keys' }, null, { revokes: id });
    return { result: await keys.revoke(id, authorOf(identity)) };
  });
}

const ARCHIVE = 'application/x-tar';

/** Publishes a release from a tar archive. Nothing is stored before the whole archive has arrived and matches its manifest. */
export function publishRoutes(app: App, api: ReleaseApi): void {
  const bodyLimit = UPLOAD_LIMITS.archiveBytes;
  app.addContentTypeParser(ARCHIVE, { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
  app.post<{ Querystring: Static<typeof PublishQuerySchema>; Body: Buffer }>(
    '/publish',
    {
      bodyLimit,
      schema: { tags, querystring: PublishQuerySchema, response: answers },
      // This runs before the archive is read.
      preParsing: async (request) => {
        if (request.headers['content-type'] !== ARCHIVE) throw new ApiError('invalid', 415, `a release is ${ARCHIVE}`);
        const refusal = refusalOf(api.callerOf(request), { action: 'publish', name: String(request.query.name) }, null);
        if (refusal) throw new ApiError('forbidden', 403, refusal);
      },
    },
    async (request) => {
      const { name, dryRun } = request.query;
      const build = unpackBuild(request.body);
      const { name: built, version } = build.manifest;
      if (built !== name) throw new StoreError(`the upload is a release of ${built}, not of ${name}`);
      const identity = api.requireAllowed(request, { action: 'publish', name }, null, { version });
      const channels = identity.role === 'squad' ? identity.channels : undefined;
      const author = { by: authorOf(identity), dryRun, channels, provenance: identity.source };
      return { result: await publishBuild(api.options.store, build, author) };
    },
  );
}
