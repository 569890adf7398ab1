import {
  ACTIONS,
  type ActionRequest,
  authorOf,
  type Grant,
  publishBuild,
  queriesOf,
  RELEASE_NAME,
  type ReleaseKeys,
  ROLES,
  refusalOf,
  StoreError,
  UPLOAD_LIMITS,
  unpackBuild,
} from '@platform/releases';
import { exact } from '@shop/server/platform/http/edit-schemas';
import type { App } from '@shop/server/platform/http/request';
import { type Static, Type } from 'typebox';
import type { AuditUnknown, OpsAudit } from '../ops-audit';
import { ApiError, ERROR_KINDS } from './api-error';
import { requireSecure } from './callers';
import type { Forge } from './forge-settings';
import type { ActionOptions, ReleaseApi } from './release-api';

const NameSchema = Type.String({ pattern: RELEASE_NAME });
const VersionSchema = Type.String({ pattern: '^[0-9A-Za-z.+-]{1,100}$' });
const ShareSchema = Type.Number({ exclusiveMinimum: 0, maximum: 100 });
const SkipSchema = Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20 });

const common = {
  why: Type.Optional(Type.String({ maxLength: 300 })),
  dryRun: Type.Optional(Type.Boolean()),
};
const release = { ...common, name: NameSchema, version: Type.Optional(VersionSchema) };

const actionSchemas = {
  promote: exact({
    ...release,
    traffic: Type.Optional(ShareSchema),
    canary: Type.Optional(Type.Union([Type.Literal('auto'), Type.Array(ShareSchema, { minItems: 1, maxItems: 20 })])),
    skip: Type.Optional(SkipSchema),
    replace: Type.Optional(Type.Boolean()),
  }),
  'promote-together': exact({
    ...common,
    releases: Type.Array(exact({ name: NameSchema, version: Type.Optional(VersionSchema) }), {
      minItems: 1,
      maxItems: 50,
    }),
    replace: Type.Optional(Type.Boolean()),
  }),
  gate: exact({ ...release, skip: Type.Optional(SkipSchema) }),
  rollback: exact({
    ...common,
    name: NameSchema,
    to: Type.Optional(VersionSchema),
    from: Type.Optional(VersionSchema),
    anyway: Type.Optional(Type.Boolean()),
  }),
  restore: exact({ ...common, rev: Type.Integer({ minimum: 1 }), anyway: Type.Optional(Type.Boolean()) }),
  freeze: exact(release),
  unfreeze: exact(release),
  'render-off': exact({ ...common, name: NameSchema }),
  'render-on': exact({ ...common, name: NameSchema }),
};

const named = { name: Type.Optional(NameSchema) };
const querySchemas = {
  status: exact({}),
  releases: exact(named),
  history: exact({ ...named, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })) }),
  verify: exact({ all: Type.Optional(Type.Boolean()) }),
};
const SessionBodySchema = exact({ token: Type.String({ minLength: 1, maxLength: 16_000 }) });
const PublishQuerySchema = exact({ name: NameSchema, dryRun: Type.Optional(Type.Boolean()) });
const KeyBodySchema = exact({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  role: Type.Union(ROLES.map((role) => Type.Literal(role))),
  remotes: Type.Optional(Type.Array(NameSchema, { maxItems: 50 })),
  maxTraffic: Type.Optional(ShareSchema),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 })),
});
const KeyIdSchema = exact({ id: Type.String({ pattern: '^[0-9a-f]{16}$' }) });

const ErrorSchema = Type.Object({
  error: Type.Object({
    kind: Type.Union(ERROR_KINDS.map((kind) => Type.Literal(kind))),
    message: Type.String(),
    verdict: Type.Optional(Type.Unknown()),
    canInsist: Type.Optional(Type.Boolean()),
  }),
});
const ResultSchema = Type.Object({ result: Type.Unknown() }, { description: 'What the command prints with --json.' });

const answers = { 200: ResultSchema, default: ErrorSchema };
const tags = ['releases'];

export function readRoutes(app: App, api: ReleaseApi): void {
  const schema = { tags, response: answers };
  const { store, server, state } = api.options;
  app.get('/identity', { schema }, async (request) => ({ result: api.callerOf(request) }));
  for (const [name, run] of Object.entries(queriesOf(store, server))) {
    const querystring = querySchemas[name as keyof typeof querySchemas];
    app.get(`/${name}`, { schema: { ...schema, querystring } }, async ({ query }) => ({
      result: await run(query as object),
    }));
  }
  app.get('/health', { schema: { ...schema, querystring: exact(named) } }, async (request) => {
    const { role, remotes = [] } = api.callerOf(request);
    const { name } = request.query;
    const names = role === 'squad' ? remotes : undefined;
    if (name && names && !names.includes(name))
      throw new ApiError('forbidden', 403, `this key sees the health of ${names.join(', ')}, not of ${name}`);
    const report = await state.report(name ? [name] : names);
    if (!report) throw new ApiError('failed', 503, 'health is unknown: the database does not answer, or there is none');
    return { result: report };
  });
}

export function actionRoutes(app: App, api: ReleaseApi): void {
  for (const name of ACTIONS) {
    const isStreamed = name === 'promote' || name === 'gate';
    const response = isStreamed ? { default: answers.default } : answers;
    app.post<{ Body: Partial<ActionOptions> & Record<string, unknown> }>(
      `/${name}`,
      { schema: { tags, body: actionSchemas[name], response } },
      async (request, reply) => {
        const { why, dryRun, ...rest } = request.body;
        const action = { action: name, ...rest } as unknown as ActionRequest;
        return api.answer(request, reply, action, { why, dryRun });
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
    api.requireAllowed(request, { action: 'manage keys' }, { lists: true });
    return { result: await keys.list() };
  });
  app.post('/keys', { ...freshCode, schema: { ...schema, body: KeyBodySchema } }, async (request) => {
    const { name, role, remotes = [], maxTraffic, days = 90 } = request.body;
    const grant = { role, remotes, maxTraffic };
    const identity = api.requireAllowed(request, { action: 'manage keys' }, { makes: name, ...grant });
    return { result: await keys.make({ name, ...grant, by: authorOf(identity), lifetime: days * DAY_MS }) };
  });
  app.delete('/keys/:id', { ...freshCode, schema: { ...schema, params: KeyIdSchema } }, async (request) => {
    const { id } = request.params;
    const identity = api.requireAllowed(request, { action: 'manage keys' }, { revokes: id });
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
        const refusal = refusalOf(api.callerOf(request), { action: 'publish', name: String(request.query.name) });
        if (refusal) throw new ApiError('forbidden', 403, refusal);
      },
    },
    async (request) => {
      const { name, dryRun } = request.query;
      const build = unpackBuild(request.body);
      const { name: built, version } = build.manifest;
      if (built !== name) throw new StoreError(`the upload is a release of ${built}, not of ${name}`);
      const identity = api.requireAllowed(request, { action: 'publish', name }, { version });
      const author = { by: authorOf(identity), dryRun, provenance: identity.source };
      return { result: await publishBuild(api.options.store, build, author) };
    },
  );
}

const FORGE_KEY_MS = 30 * 60_000;

interface ForgeSessionOptions {
  keys: ReleaseKeys;
  forges: readonly Forge[];
  audit: OpsAudit;
  auditUnknown: AuditUnknown;
  now?: () => number;
}

/** Needs no key: a job gets its key here. */
export function forgeSessionRoutes(app: App, { keys, forges, audit, auditUnknown, now }: ForgeSessionOptions): void {
  const forgeModule = forges.length > 0 ? (require('./forge-tokens') as typeof import('./forge-tokens')) : null;
  const forgeTokens = forgeModule && new forgeModule.ForgeTokens(forges, now);
  const schema = { tags, summary: "A short-lived key for a forge's token", body: SessionBodySchema, response: answers };
  app.post('/session', { schema }, async (request) => {
    requireSecure(request);
    if (!forgeModule || !forgeTokens)
      throw new ApiError('unauthorised', 401, 'this shop accepts no forge tokens (RELEASE_OIDC)');
    const refuse = (message: string) => {
      auditUnknown(request, { action: 'release.session.refuse', detail: { why: message } });
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
