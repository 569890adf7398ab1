/**
 * /ops/api: everything that the release commands do, over HTTPS and without access to the store. It calls the same functions as
 * the commands; who acts comes from a key, never from the request's body.
 */
import type { KeyObject } from 'node:crypto';
import { PassThrough } from 'node:stream';
import swagger from '@fastify/swagger';
import {
  ACTS,
  type Act,
  authorOf,
  beginUpload,
  ConflictError,
  containsKey,
  GateError,
  type GateStep,
  history,
  type Identity,
  limitsOf,
  MapError,
  nameInManifest,
  nameOfUpload,
  publishUpload,
  ReleaseKeys,
  receiveFile,
  refusalOf,
  releases,
  runAct,
  SigningKeys,
  type Store,
  StoreError,
  sbomOfRelease,
  status,
  verify,
  verifyRecord,
  type Wanted,
} from '@shop/release';
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { type AuditEntry, announce, entryValues, insertEntry } from '../../platform/audit/audit';
import type { Database } from '../../platform/db/database';
import { networkOf } from '../../platform/http/networks';
import { isSecure } from '../../platform/http/secure-request';
import { renderGate } from '../../renderer/render-gate';
import { type GateQueue, GateQueueFullError, LeftGateQueueError, placeInLine } from '../gate-queue';
import { describeAct, type SecondPerson } from '../second-person';
import type { Forge } from './forge-settings';
import {
  actSchemas,
  answers,
  FILE_BYTES,
  HistoryQuerySchema,
  KeyBodySchema,
  KeyIdSchema,
  MANIFEST_BYTES,
  PublishBodySchema,
  RecordQuerySchema,
  ReleasesQuerySchema,
  SbomQuerySchema,
  SessionBodySchema,
  SigningKeyBodySchema,
  StatusQuerySchema,
  UploadBodySchema,
  UploadFileSchema,
  VerifyQuerySchema,
} from './ops-api.schemas';

export interface OpsApiOptions {
  store: Store;
  forges: readonly Forge[];
  /** Acts that need two people. */
  secondPerson: SecondPerson;
  /** Shared with /ops of this server. */
  gateQueue: GateQueue;
  /** Default channel. */
  channel: string;
  browserGate: () => Promise<GateStep>;
  /** Address of this shop, for the gate. */
  address?: () => string | undefined;
  recordKey?: KeyObject;
  /** Has the audit log; without it, or while it is away, everything else works. */
  db?: Database;
  now?: () => number;
}

type Kind =
  | 'invalid'
  | 'insecure'
  | 'unauthorised'
  | 'forbidden'
  | 'gate'
  | 'conflict'
  | 'proposed'
  | 'frozen'
  | 'refused'
  | 'busy'
  | 'failed';

class ApiError extends Error {
  constructor(
    readonly kind: Kind,
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const FORGE_KEY_MS = 30 * 60_000;
const DAY_MS = 86_400_000;
/** Proxies close a connection on which nothing comes for a minute. */
const HEARTBEAT_MS = 10_000;
/** Of callers whom nobody knows. What comes beyond is refused all the same, but would only fill the audit log. */
const REFUSALS_AUDITED_A_MINUTE = 60;
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-robots-tag': 'noindex' };

const identities = new WeakMap<FastifyRequest, Identity>();
const identityOf = (request: FastifyRequest): Identity => {
  const identity = identities.get(request);
  if (!identity) throw new Error('a call of the release API without an identity');
  return identity;
};

function explained(error: unknown): { status: number; error: { kind: Kind; message: string; verdict?: unknown } } {
  const refused = (kind: Kind, status: number) => ({ status, error: { kind, message: (error as Error).message } });
  if (error instanceof ApiError) return refused(error.kind, error.status);
  if (error instanceof GateError) {
    return { status: 409, error: { kind: 'gate', message: error.message, verdict: error.verdict } };
  }
  if (error instanceof ConflictError) return refused('conflict', 409);
  if (error instanceof MapError) return refused(error.code === 'frozen' ? 'frozen' : 'refused', 409);
  if (error instanceof StoreError || error instanceof LeftGateQueueError) return refused('refused', 409);
  if (error instanceof GateQueueFullError) return refused('busy', 503);
  const { statusCode = 500 } = (error ?? {}) as FastifyError;
  if (statusCode >= 400 && statusCode < 500) return refused('invalid', statusCode);
  const message = 'it failed; the server log says why';
  return { status: 500, error: { kind: 'failed', message } };
}

/** Keys travel here, so a connection that others can read is refused; on this machine nobody reads along. */
function requireSecure(request: FastifyRequest): void {
  if (containsKey(request.url) || containsKey(JSON.stringify(request.query))) {
    const advice = 'revoke this key, and send keys in the header authorization only';
    throw new ApiError('insecure', 400, `a key in an address ends up in logs: ${advice}`);
  }
  if (isSecure(request)) return;
  throw new ApiError(
    'insecure',
    403,
    'use https; behind a proxy that does, it must send X-Forwarded-Proto and TRUST_PROXY must name it. Revoke a key that was sent without',
  );
}

export function opsApi(options: OpsApiOptions): FastifyPluginAsync {
  const { store, db, gateQueue, recordKey, now } = options;
  const keys = new ReleaseKeys(store.blobs, now);
  const signingKeys = new SigningKeys(store.blobs, now);
  /** Loaded only where a forge is known. */
  const forgeTokens =
    options.forges.length > 0
      ? new (require('./forge-tokens') as typeof import('./forge-tokens')).ForgeTokens(options.forges, now)
      : null;
  /** Until every server that reads the store serves the change. */
  const untilServed = () => new Promise((resolve) => setTimeout(resolve, store.blobs.readAgainMs));

  const audit = (request: FastifyRequest, entry: AuditEntry) => {
    const whole = { network: networkOf(request.ip), ...entry };
    announce(whole);
    db?.run(insertEntry(1), entryValues(whole)).catch((error) =>
      request.log.error({ err: error, action: entry.action }, 'an entry of the audit log was not stored'),
    );
  };

  const strangers = { minute: 0, refused: 0 };
  function auditStranger(request: FastifyRequest, entry: Omit<AuditEntry, 'actor'>): void {
    const minute = Math.floor((now ?? Date.now)() / 60_000);
    if (strangers.minute !== minute) Object.assign(strangers, { minute, refused: 0 });
    strangers.refused += 1;
    if (strangers.refused <= REFUSALS_AUDITED_A_MINUTE) audit(request, { actor: 'unknown', ...entry });
  }

  /** Throws ApiError. */
  async function authenticate(request: FastifyRequest): Promise<Identity> {
    const [, key] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (key === undefined) throw new ApiError('unauthorised', 401, 'send a key: authorization: Bearer …');
    const identity = await keys.authenticate(key);
    if (identity) return identity;
    auditStranger(request, { action: 'release.key.refuse' });
    throw new ApiError('unauthorised', 401, 'this key is not good: it is unknown, revoked or has expired');
  }

  /** Throws ApiError, after an entry in the audit log. */
  function requireAllowed(
    request: FastifyRequest,
    wanted: Wanted,
    channel: string | null,
    detail: object = {},
  ): Identity {
    const identity = identityOf(request);
    const refusal = refusalOf(identity, wanted, channel);
    const subject = 'name' in wanted ? wanted.name : '';
    const entry = { actor: authorOf(identity), session: identity.id, subject, detail };
    audit(request, { ...entry, action: `release.${wanted.act}${refusal ? '.refuse' : ''}` });
    if (refusal) throw new ApiError('forbidden', 403, refusal);
    return identity;
  }

  const gateSteps = async (skip: readonly string[]) => [
    renderGate({ against: options.address?.() }),
    ...(skip.includes('browser') ? [] : [await options.browserGate()]),
  ];

  async function perform(act: Act, given: Given, identity: Identity, progress: Progress = {}) {
    const { channel, why, dryRun } = given;
    const limits = options.secondPerson.limitsFor(act, limitsOf(identity));
    const context = { channel, why, dryRun, by: authorOf(identity), steps: gateSteps, limits, ...progress };
    const result = await runAct(store, act, context);
    if (!dryRun && act.act !== 'gate') await untilServed();
    return result;
  }

  /** One line of JSON for each check, the last one with the result or the error. Whoever goes away while it waits is not waited for. */
  function stream(request: FastifyRequest, reply: FastifyReply, work: (progress: Progress) => Promise<unknown>) {
    gateQueue.requireRoom();
    const lines = new PassThrough();
    const write = (line: object) => lines.write(`${JSON.stringify(line)}\n`);
    const heartbeat = setInterval(() => lines.write('\n'), HEARTBEAT_MS);
    const progress: Progress = { say: (say) => write({ say }), onCheck: (check) => write({ check }) };
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const onPlace = (place: number) => write({ say: placeInLine(place) });
    const begin = async () => {
      await authenticate(request);
      return work(progress);
    };
    gateQueue
      .run(begin, { onPlace, signal: gone.signal })
      .then(
        (result) => write({ result }),
        (error) => {
          const { error: shown } = explained(error);
          if (shown.kind === 'failed') request.log.error({ err: error }, 'an act of the release API failed');
          write({ error: shown });
        },
      )
      .finally(() => {
        clearInterval(heartbeat);
        lines.end();
      });
    // nginx would keep lines back until a buffer is full.
    return reply.type('application/x-ndjson').header('x-accel-buffering', 'no').send(lines);
  }

  return async (app) => {
    app.setErrorHandler((error, request, reply) => {
      const { status: code, error: shown } = explained(error);
      if (shown.kind === 'failed') request.log.error({ err: error }, 'a call of the release API failed');
      if (code === 503) reply.header('retry-after', '60');
      if (code === 401) reply.header('www-authenticate', 'Bearer');
      return reply.code(code).headers(HEADERS).send({ error: shown });
    });
    app.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: FILE_BYTES },
      (_request, body, done) => done(null, body),
    );
    const open = [`${app.prefix}/session`, `${app.prefix}/openapi.json`];
    app.addHook('onRequest', async (request, reply) => {
      reply.headers(HEADERS);
      requireSecure(request);
      if (!open.includes(request.routeOptions.url ?? '')) identities.set(request, await authenticate(request));
    });
    // Outside production the shop's own document exists, and has these calls as well.
    if (!app.hasDecorator('swagger')) await app.register(swagger, { openapi: { openapi: '3.1.0' } });
    app.get('/openapi.json', { schema: { hide: true } as object }, async () => {
      const { paths = {} } = app.swagger() as { paths?: object };
      const own = Object.entries(paths).filter(([path]) => path.startsWith(`${app.prefix}/`));
      return {
        openapi: '3.1.0',
        info: { title: 'Releases of the shop', version: '1' },
        components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
        security: [{ key: [] }],
        paths: Object.fromEntries(own),
      };
    });
    const tags = ['releases'];
    const read = (querystring?: object, summary?: string) => ({
      schema: { tags, ...(summary && { summary }), ...(querystring && { querystring }), response: answers },
    });
    const channelOf = ({ channel = options.channel }: { channel?: string }) => channel;

    app.post<{ Body: Static<typeof SessionBodySchema> }>(
      '/session',
      {
        schema: { tags, summary: "A short-lived key for a forge's token", body: SessionBodySchema, response: answers },
      },
      async (request) => {
        if (!forgeTokens)
          throw new ApiError('unauthorised', 401, 'this shop takes no tokens of a forge (RELEASE_OIDC)');
        const refuse = (message: string) => {
          auditStranger(request, { action: 'release.session.refuse', detail: { why: message } });
          return new ApiError('unauthorised', 401, message);
        };
        const { ForgeTokenError } = require('./forge-tokens') as typeof import('./forge-tokens');
        const found = await forgeTokens.verify(request.body.token).catch((error: unknown) => {
          throw error instanceof ForgeTokenError ? refuse(error.message) : error;
        });
        if (!(await keys.takeOnce(found.id, found.expires + DAY_MS)))
          throw refuse('this token was used before; a token is good for one session');
        const { name, rule, source } = found;
        const by = rule.repository;
        const made = await keys.make({ ...grantOf(rule), name, source, by, kind: 'forge', lifetime: FORGE_KEY_MS });
        audit(request, { actor: authorOf(made.identity), action: 'release.session.open', session: made.identity.id });
        return { result: made };
      },
    );
    app.get('/identity', read(), async (request) => ({ result: identityOf(request) }));
    app.get<{ Querystring: Static<typeof StatusQuerySchema> }>('/status', read(StatusQuerySchema), async (request) => ({
      result: await status(store, channelOf(request.query)),
    }));
    app.get<{ Querystring: Static<typeof StatusQuerySchema> }>(
      '/proposals',
      read(StatusQuerySchema, 'Acts that wait until people confirm them at /ops'),
      async ({ query }) => {
        const waiting = await options.secondPerson.list(channelOf(query));
        return { result: waiting.map(({ id, act, why, by, at, agreed }) => ({ id, act, why, by, at, agreed })) };
      },
    );
    app.get<{ Querystring: Static<typeof ReleasesQuerySchema> }>(
      '/releases',
      read(ReleasesQuerySchema),
      async ({ query }) => ({ result: await releases(store, { ...query, channel: channelOf(query) }) }),
    );
    app.get<{ Querystring: Static<typeof SbomQuerySchema> }>('/sbom', read(SbomQuerySchema), async ({ query }) => ({
      result: await sbomOfRelease(store, { ...query, channel: channelOf(query) }),
    }));
    app.get<{ Querystring: Static<typeof HistoryQuerySchema> }>(
      '/history',
      read(HistoryQuerySchema),
      async ({ query }) => ({ result: await history(store, { ...query, channel: channelOf(query) }) }),
    );
    app.get<{ Querystring: Static<typeof RecordQuerySchema> }>(
      '/history/verify',
      read(RecordQuerySchema),
      async ({ query }) => ({
        result: await verifyRecord(store, { ...query, channel: channelOf(query), key: recordKey }),
      }),
    );
    app.get<{ Querystring: Static<typeof VerifyQuerySchema> }>(
      '/verify',
      read(VerifyQuerySchema),
      async ({ query }) => ({ result: await verify(store, { ...query, channel: channelOf(query) }) }),
    );

    for (const name of ACTS) {
      const isSlow = name === 'promote' || name === 'gate';
      const response = isSlow ? { default: answers.default } : answers;
      const schema = { tags, body: actSchemas[name], response };
      app.post<{ Body: Partial<Given> & Record<string, unknown> }>(`/${name}`, { schema }, async (request, reply) => {
        const { channel = options.channel, why, dryRun, ...rest } = request.body;
        // The schema of this act has checked it.
        const act = { act: name, ...rest } as unknown as Act;
        const identity = requireAllowed(request, act, channel, request.body);
        const given = { channel, why, dryRun };
        if (!dryRun && options.secondPerson.isNeeded(act)) {
          const by = authorOf(identity);
          const limits = options.secondPerson.limitsFor(act, limitsOf(identity));
          await options.secondPerson.propose({ act, channel, why, by, limits }, null);
          throw new ApiError(
            'proposed',
            409,
            `${describeAct(act)} needs two people: it is proposed, and they confirm it at /ops`,
          );
        }
        if (isSlow) return stream(request, reply, (progress) => perform(act, given, identity, progress));
        return { result: await perform(act, given, identity) };
      });
    }

    app.post<{ Body: Static<typeof UploadBodySchema> }>(
      '/uploads',
      { bodyLimit: MANIFEST_BYTES, schema: { tags, body: UploadBodySchema, response: answers } },
      async (request) => {
        const raw = Buffer.from(request.body.manifest);
        requireAllowed(request, { act: 'publish', name: nameInManifest(raw) }, null, { begins: true });
        return { result: await beginUpload(store, raw) };
      },
    );
    app.put<{ Params: Static<typeof UploadFileSchema>; Body: Buffer }>(
      '/uploads/:upload/:hash',
      {
        bodyLimit: FILE_BYTES,
        schema: { tags, params: UploadFileSchema, response: answers },
        // Before 10 MB of JSON are read.
        preParsing: async ({ headers }) => {
          if (headers['content-type'] !== 'application/octet-stream')
            throw new ApiError('invalid', 415, 'a file is application/octet-stream');
        },
      },
      async (request) => {
        const { upload, hash } = request.params;
        const name = await nameOfUpload(store, upload);
        const refusal = refusalOf(identityOf(request), { act: 'publish', name }, null);
        if (refusal) throw new ApiError('forbidden', 403, refusal);
        await receiveFile(store, upload, hash, request.body);
        return { result: { received: request.body.length } };
      },
    );
    app.post<{ Body: Static<typeof PublishBodySchema> }>(
      '/publish',
      { bodyLimit: MANIFEST_BYTES, schema: { tags, body: PublishBodySchema, response: answers } },
      async (request) => {
        const { upload, lockfile, attestation, dryRun } = request.body;
        const name = await nameOfUpload(store, upload);
        const identity = requireAllowed(request, { act: 'publish', name }, null, { upload });
        const provenance = identity.source || lockfile ? { ...identity.source, lockfile } : undefined;
        const channels = identity.role === 'squad' ? identity.channels : undefined;
        const author = { by: authorOf(identity), dryRun, channels, provenance, attestation };
        return { result: await publishUpload(store, upload, author) };
      },
    );

    app.get('/keys', { schema: { tags, response: answers } }, async (request) => {
      requireAllowed(request, { act: 'manage keys' }, null, { lists: true });
      return { result: await keys.list() };
    });
    app.post<{ Body: Static<typeof KeyBodySchema> }>(
      '/keys',
      { schema: { tags, body: KeyBodySchema, response: answers } },
      async (request) => {
        const { name, role, remotes = [], channels = [], maxTraffic, days = 90 } = request.body;
        const grant = { role, remotes, channels, maxTraffic };
        const identity = requireAllowed(request, { act: 'manage keys' }, null, { makes: name, ...grant });
        const by = authorOf(identity);
        return { result: await keys.make({ name, ...grant, by, lifetime: days * DAY_MS }) };
      },
    );
    app.delete<{ Params: Static<typeof KeyIdSchema> }>(
      '/keys/:id',
      { schema: { tags, params: KeyIdSchema, response: answers } },
      async (request) => {
        const { id } = request.params;
        const identity = requireAllowed(request, { act: 'manage keys' }, null, { revokes: id });
        return { result: await keys.revoke(id, authorOf(identity)) };
      },
    );
    app.get('/signing-keys', { schema: { tags, response: answers } }, async () => ({
      result: await signingKeys.list(),
    }));
    app.post<{ Body: Static<typeof SigningKeyBodySchema> }>(
      '/signing-keys',
      { schema: { tags, body: SigningKeyBodySchema, response: answers } },
      async (request) => {
        const identity = requireAllowed(request, { act: 'manage keys' }, null, { adds: request.body });
        return { result: await signingKeys.add({ ...request.body, by: authorOf(identity) }) };
      },
    );
    app.delete<{ Params: Static<typeof KeyIdSchema> }>(
      '/signing-keys/:id',
      { schema: { tags, params: KeyIdSchema, response: answers } },
      async (request) => {
        const { id } = request.params;
        const identity = requireAllowed(request, { act: 'manage keys' }, null, { revokes: id, kind: 'signing key' });
        return { result: await signingKeys.revoke(id, authorOf(identity)) };
      },
    );

    app.all('/*', { schema: { hide: true } as object }, async () => {
      throw new ApiError('invalid', 404, 'there is no such call of the release API');
    });
  };
}

interface Given {
  channel: string;
  why?: string;
  dryRun?: boolean;
}
type Progress = Pick<Parameters<typeof runAct>[2], 'say' | 'onCheck'>;

const grantOf = ({ role, remotes, channels, maxTraffic }: Forge['rules'][number]) => ({
  role,
  remotes,
  channels,
  maxTraffic,
});
