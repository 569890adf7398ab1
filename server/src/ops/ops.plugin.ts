/**
 * /ops: what is live, its health, and rollback with one press. It calls the same functions as the terminal
 * (release/src/operations.ts) and needs neither API nor database.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserScript } from '@shop/document/browser-script';
import {
  freeze,
  type GateStep,
  history,
  renderingOff,
  renderingOn,
  restore,
  rollback,
  type Store,
  status,
  unfreeze,
} from '@shop/release';
import type { FastifyBaseLogger, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type AuditEntry, announce, entryValues, insertEntry } from '../audit/audit';
import type { Database } from '../db/database';
import { minuteLimit } from '../health/health.plugin';
import { type HealthView, readHealth } from '../health/health-view';
import { LIMIT_WITHOUT_BASELINE } from '../health/judge';
import { networkOf } from '../http/networks';
import type { Webhooks } from '../providers/webhook-settings';
import { renderGate } from '../renderer/render-gate';
import type { RenderCounts } from '../renderer/render-statistics';
import { tellBreakGlass } from './break-glass';
import type { OpsSession, OpsSessions } from './ops-session';
import type { OpsAction, OpsState } from './ops-state';
import { isExpected, PromoteJobs, type PromoteWanted } from './promote-jobs';

export interface OpsOptions {
  store: Store;
  /** Where health is counted; without it, or while it is away, /ops does everything else. */
  db?: Database;
  /** Who is told when somebody signs in with the shared token. */
  webhooks?: Webhooks;
  sessions: OpsSessions;
  channel?: string;
  /** The gate's checks in a browser. Without it a promote needs a reason for leaving them out. */
  browserGate?: () => Promise<GateStep>;
  /** Address of this shop, for the gate; known once it listens. */
  address?: () => string;
  /** What this server has rendered, by release. */
  rendering?: () => RenderCounts[];
}

/** Absent from `releasePlugins`: this server has nothing to open pages with. */
export const NO_BROWSER: GateStep = {
  check: 'browser',
  run: async () => [{ check: 'browser', outcome: 'failed', detail: 'this server has no browser to check it in' }],
};
/** A promote that takes longer goes on as a job. */
const ANSWER_MS = 400;

const ATTEMPTS_A_MINUTE = 10;
/** A database that hangs must not hide what is live. */
const HEALTH_TIMEOUT_MS = 1_500;
const HEALTH_FRESH_MS = 1_000;
const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
};
const asset = (file: string) => readFileSync(join(__dirname, file), 'utf8');

function toAction(body: unknown): OpsAction | null {
  if (typeof body !== 'object' || body === null) return null;
  const { action, name, version, traffic, rev, skipBrowser, why: reason } = body as Record<string, unknown>;
  const why = typeof reason === 'string' ? reason.slice(0, 300) : undefined;
  if (action === 'restore') return Number.isInteger(rev) && Number(rev) > 0 ? { action, rev: Number(rev), why } : null;
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,40}$/.test(name)) return null;
  if (action === 'render-off' || action === 'render-on') return { action, name, why };
  if (action !== 'promote' && action !== 'rollback' && action !== 'freeze' && action !== 'unfreeze') return null;
  if (version !== undefined && (typeof version !== 'string' || version.length > 100)) return null;
  if (action !== 'promote') return { action, name, version, why };
  if (traffic !== undefined && !(typeof traffic === 'number' && traffic > 0 && traffic <= 100)) return null;
  if (skipBrowser === undefined) return { action, name, version, traffic, why };
  const skipReason = typeof skipBrowser === 'string' ? skipBrowser.trim().slice(0, 300) : '';
  return skipReason === '' ? null : { action, name, version, traffic, why, skipBrowser: skipReason };
}

export function opsPlugin(options: OpsOptions): FastifyPluginAsync {
  const { store, db, sessions, channel = 'production', rendering = () => [] } = options;
  const webhooks = options.webhooks ?? { urls: [], secret: '' };
  const browserGate = options.browserGate ?? (async () => NO_BROWSER);
  const attempt = minuteLimit(ATTEMPTS_A_MINUTE);
  const [page, styles] = ['ops.html', 'ops.css'].map(asset);
  const script = browserScript(join(__dirname, 'client/main.ts'));

  const act = async (wanted: Exclude<OpsAction, { action: 'promote' }>, by: string): Promise<string> => {
    const author = { by, why: wanted.why, channel };
    if (wanted.action === 'restore') {
      const { map } = await restore(store, { ...author, rev: wanted.rev });
      return `everything is as it was at revision ${wanted.rev}; this is revision ${map.rev}`;
    }
    if (wanted.action === 'render-off' || wanted.action === 'render-on') {
      await (wanted.action === 'render-off' ? renderingOff : renderingOn)(store, { ...author, name: wanted.name });
      return `pages of ${wanted.name} are ${wanted.action === 'render-off' ? 'not rendered any more' : 'rendered again'}`;
    }
    const { action, name, version } = wanted;
    if (action === 'rollback') {
      const { outcome, from, to } = await rollback(store, { ...author, name, to: version });
      return outcome === 'abandoned' ? `the canary ${name}@${from} is gone` : `${name} is back at ${to}, was ${from}`;
    }
    await (action === 'freeze' ? freeze : unfreeze)(store, { ...author, name, version });
    return `${name}${version ? `@${version}` : ''} is ${action === 'freeze' ? 'frozen' : 'not frozen any more'}`;
  };

  const jobs = new PromoteJobs({
    store,
    channel,
    browserGate,
    renderGate: () => renderGate({ against: options.address?.() }),
    onError: (error) => log?.error({ err: error }, 'a promote of /ops failed'),
  });
  let log: FastifyBaseLogger | null = null;

  /** Cached for a moment, so that not every poll of every open page reads the bucket. */
  let read: { at: number; facts: ReturnType<typeof readFacts> } | null = null;
  async function readFacts() {
    const now = await status(store, channel);
    const published = await Promise.all(
      now.releases.map(async ({ name }) =>
        (await store.publications(name)).slice(0, 8).map(({ version, at, by }) => ({ version, at, by })),
      ),
    );
    const shown = now.releases.flatMap(({ name, version, previous, canary }) =>
      [version, previous, canary?.version].flatMap((one) => (one ? [{ name, version: one }] : [])),
    );
    return { now, published, history: await history(store, { channel, limit: 30 }), shown };
  }
  function facts() {
    if (!read || Date.now() - read.at >= 2 * store.blobs.readAgainMs) {
      const latest = { at: Date.now(), facts: readFacts() };
      // A failure is not cached.
      latest.facts.catch(() => {
        if (read === latest) read = null;
      });
      read = latest;
    }
    return read.facts;
  }

  let asked: { at: number; health: Promise<HealthView | null>; settled: boolean } | null = null;
  /** Null without a database, and while it does not answer; one question at a time, so that none pile up then. */
  function healthOf(database: Database, shown: Parameters<typeof readHealth>[2]): Promise<HealthView | null> {
    if (!asked || (asked.settled && Date.now() - asked.at >= HEALTH_FRESH_MS)) {
      const late = new Promise<null>((resolve) => setTimeout(resolve, HEALTH_TIMEOUT_MS, null).unref());
      const health = store.readMap(channel).then((map) => readHealth(database, map, shown, webhooks));
      const question = { at: Date.now(), health: Promise.race([health.catch(() => null), late]), settled: false };
      const settle = () => {
        question.settled = true;
      };
      health.then(settle, settle);
      asked = question;
    }
    return asked.health;
  }

  async function state(): Promise<OpsState> {
    const { now, published, history: rows, shown } = await facts();
    const view = db ? await healthOf(db, shown) : null;
    const health = (name: string, version: string | null | undefined) =>
      view?.releases.get(`${name}@${version}`) ?? null;
    const releases = now.releases.map((row, index) => ({
      ...row,
      health: health(row.name, row.version),
      healthBefore: health(row.name, row.previous),
      healthCanary: health(row.name, row.canary?.version),
      rendering: rendering().filter(
        (one) => one.name === row.name && (one.version === row.version || one.version === row.canary?.version),
      ),
      watched: view?.watched.get(row.name) ?? null,
      published: published[index] ?? [],
      checking: jobs.running(row.name),
    }));
    const bound = LIMIT_WITHOUT_BASELINE;
    const failingWebhooks = view?.failingWebhooks ?? [];
    return { ...now, bound, events: view?.events ?? null, failingWebhooks, releases, history: rows };
  }

  return async (app) => {
    log = app.log;
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4096 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    const sessionOf = (request: FastifyRequest) => sessions.of(request.headers.cookie);
    /** The database may be away or slow in an incident: nothing waits for it, and the log has the entry anyway. */
    const audit = (
      request: FastifyRequest,
      action: string,
      given: Partial<OpsSession>,
      rest: Partial<AuditEntry> = {},
    ) => {
      const entry = {
        actor: `${given.person ?? 'unknown'} (ops)`,
        action,
        network: networkOf(request.ip),
        session: given.id,
        ...rest,
      };
      announce(entry);
      db?.run(insertEntry(1), entryValues(entry)).catch((error) =>
        request.log.error({ err: error, action }, 'an entry of the audit log was not stored'),
      );
    };
    const refuse = (reply: FastifyReply, code: number, message: string) =>
      reply.code(code).headers(HEADERS).send({ message });

    const promote = async (wanted: PromoteWanted, by: string, reply: FastifyReply) => {
      const busy = jobs.running(wanted.name);
      if (busy) return refuse(reply, 409, `${busy.name} is being checked for ${busy.by} already.`);
      const { job, ended } = jobs.start(wanted, by);
      void ended.then(() => {
        read = null;
      });
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, ANSWER_MS))]);
      const code = { running: 202, done: 200, refused: 409 }[job.state];
      return reply.code(code).headers(HEADERS).send(job);
    };

    app.get('/ops', async (request, reply) => {
      const isIn = (await sessionOf(request)) !== null;
      const body = String(page).replace('data-state=""', `data-state="${isIn ? 'in' : 'out'}"`);
      return reply.headers(HEADERS).type('text/html; charset=utf-8').send(body);
    });
    app.get('/ops/ops.js', async (_request, reply) =>
      reply.headers(HEADERS).type('text/javascript; charset=utf-8').send(script),
    );
    app.get('/ops/ops.css', async (_request, reply) =>
      reply.headers(HEADERS).type('text/css; charset=utf-8').send(styles),
    );

    app.post<{ Body: { token?: string; person?: string } }>('/ops/login', async (request, reply) => {
      if (!attempt(request.ip)) return refuse(reply, 429, 'Too many tries. Wait a minute.');
      const { token: given = '', person: name = '' } = request.body ?? {};
      reply.headers(HEADERS);
      const signIn = sessions.signIn(String(given), String(name));
      if ('refusal' in signIn) {
        audit(request, 'session.refuse', {}, { detail: { why: signIn.refusal } });
        return reply.redirect(`/ops?${signIn.refusal}`, 303);
      }
      const session = sessions.open(signIn.person);
      audit(request, 'session.open', session);
      if (signIn.isShared) {
        const onError = (error: unknown) =>
          request.log.error({ err: error }, 'a use of the shared token was not stored; it is sent once');
        const use = { person: signIn.person, why: 'signed in at /ops with the shared token' };
        void tellBreakGlass({ channel, webhooks, db, onError }, use);
      }
      const cookies = sessions.cookies(session, request.protocol === 'https');
      return reply.header('set-cookie', cookies).redirect('/ops', 303);
    });
    app.post('/ops/logout', async (request, reply) => {
      const session = await sessionOf(request);
      if (session) {
        await sessions.end(session);
        audit(request, 'session.close', session);
      }
      return reply.headers(HEADERS).header('set-cookie', sessions.endedCookies).redirect('/ops', 303);
    });

    app.get('/ops/state.json', async (request, reply) => {
      if (!(await sessionOf(request))) return refuse(reply, 401, 'Sign in again.');
      return reply.headers(HEADERS).send(await state());
    });
    app.post('/ops/act', { bodyLimit: 4096 }, async (request, reply) => {
      const session = await sessionOf(request);
      if (!session) return refuse(reply, 401, 'Sign in again.');
      // A form of another site can send neither this header nor this cookie.
      if (request.headers['x-ops'] !== '1') return refuse(reply, 403, 'Use the page.');
      const wanted = toAction(request.body);
      if (!wanted) return refuse(reply, 400, 'This action is not complete.');
      const by = `${session.person} (ops)`;
      const { action, ...detail } = wanted;
      audit(request, `release.${action}`, session, { subject: 'name' in wanted ? wanted.name : channel, detail });
      if (wanted.action === 'promote') return promote(wanted, by, reply);
      try {
        const message = await act(wanted, by);
        return reply.headers(HEADERS).send({ message });
      } catch (error) {
        if (!isExpected(error)) throw error;
        return refuse(reply, 409, error.message);
      } finally {
        read = null;
      }
    });
    app.get<{ Params: { id: string } }>('/ops/jobs/:id', async (request, reply) => {
      if (!(await sessionOf(request))) return refuse(reply, 401, 'Sign in again.');
      const job = jobs.get(Number(request.params.id));
      return job ? reply.headers(HEADERS).send(job) : refuse(reply, 404, 'This server has no such promote.');
    });
  };
}
