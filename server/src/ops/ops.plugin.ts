/**
 * /ops: what is live, its health, and rollback with one press. It calls the same functions as the terminal
 * (platform/releases/src/operations.ts) and needs neither API nor database.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserScript } from '@platform/build/browser-script';
import type { RenderCounts } from '@platform/pages/rendering';
import { renderGate } from '@platform/pages/rendering/gate';
import {
  type Act,
  type ActLimits,
  authorOf,
  GateQueue,
  GateQueueFullError,
  type GateStep,
  history,
  holdsControlCharacters,
  type Identity,
  isReleaseName,
  limitsOf,
  refusalOf,
  runAct,
  type Store,
  status,
} from '@platform/releases';
import type { FastifyBaseLogger, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type HealthView, readHealth } from '../health/health-view';
import { LIMIT_WITHOUT_BASELINE } from '../health/judge';
import type { Database } from '../platform/db/database';
import type { Webhooks } from '../providers/webhook-settings';
import { OPS_HEADERS, opsAudit, refuse } from './ops-replies';
import type { OpsSessions, OpsVisitor } from './ops-session';
import { type OpsAction, type OpsDecision, type OpsState, RELEASE_ACTS, type ReleaseAct } from './ops-state';
import { isExpected, PromoteJobs, type PromoteWanted } from './promote-jobs';
import { authorsOf, describeAct, hashOf, type Person, SecondPerson } from './second-person';
import type { OpenIdSettings } from './sign-in/openid-settings';
import { signIn } from './sign-in/sign-in.plugin';
import { signInForm } from './sign-in/sign-in-form';

export interface OpsOptions {
  store: Store;
  /** Where health is counted; without it, or while it is away, /ops does everything else. */
  db?: Database;
  /** Who is told when somebody signs in with the shared token. */
  webhooks?: Webhooks;
  sessions: OpsSessions;
  /** The provider by which people sign in. */
  openId?: OpenIdSettings | null;
  /** Shared with the release API of this server. */
  gateQueue?: GateQueue;
  /** Acts that need two people. */
  secondPerson?: SecondPerson;
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

/** A database that hangs must not hide what is live. */
const HEALTH_TIMEOUT_MS = 1_500;
const HEALTH_FRESH_MS = 1_000;
const asset = (file: string) => readFileSync(join(__dirname, file), 'utf8');

function toAction(body: unknown): OpsAction | OpsDecision | null {
  if (typeof body !== 'object' || body === null) return null;
  const { action, name, version, traffic, rev, skipBrowser, proposal, why: reason } = body as Record<string, unknown>;
  const why = typeof reason === 'string' ? reason.slice(0, 300) : undefined;
  if (action === 'confirm' || action === 'decline') return typeof proposal === 'string' ? { action, proposal } : null;
  if (action === 'restore') return Number.isInteger(rev) && Number(rev) > 0 ? { action, rev: Number(rev), why } : null;
  if (typeof name !== 'string' || !isReleaseName(name)) return null;
  if (action === 'render-off' || action === 'render-on') return { action, name, why };
  if (action !== 'promote' && action !== 'rollback' && action !== 'freeze' && action !== 'unfreeze') return null;
  if (version !== undefined && (typeof version !== 'string' || version.length > 100)) return null;
  if (action !== 'promote') return { action, name, version, why };
  if (traffic !== undefined && !(typeof traffic === 'number' && traffic > 0 && traffic <= 100)) return null;
  if (skipBrowser === undefined) return { action, name, version, traffic, why };
  const skipReason = typeof skipBrowser === 'string' ? skipBrowser.trim().slice(0, 300) : '';
  return skipReason === '' ? null : { action, name, version, traffic, why, skipBrowser: skipReason };
}

/** As the rules of who may do what know it. */
function toAct(wanted: OpsAction): Act {
  if (wanted.action === 'restore') return { act: 'restore', rev: wanted.rev };
  const { action: act, name } = wanted;
  if (act === 'render-off' || act === 'render-on') return { act, name };
  const { version } = wanted;
  if (act === 'rollback') return { act, name, to: version };
  if (act !== 'promote') return { act, name, version };
  const skip = wanted.skipBrowser ? ['browser'] : undefined;
  // The page shows the canary beside the button, and can undo this.
  return { act, name, version, traffic: wanted.traffic, skip, replace: version !== undefined };
}

const toPerson = (subject: string | null, author: string): Person | null =>
  subject === null ? null : { subject, author };

/** What somebody may do with a release at all, so that the page offers nothing else. */
const mayDo = (identity: Identity, name: string, channel: string): ReleaseAct[] =>
  RELEASE_ACTS.filter(
    (act) => !refusalOf(identity, act === 'promote' ? { act, name, traffic: 0 } : { act, name }, channel),
  );

export function opsPlugin(options: OpsOptions): FastifyPluginAsync {
  const { store, db, sessions, openId = null, channel = 'production', rendering = () => [] } = options;
  const secondPerson = options.secondPerson ?? new SecondPerson(store.blobs, []);
  const webhooks = options.webhooks ?? { urls: [], secret: '' };
  const browserGate = options.browserGate ?? (async () => NO_BROWSER);
  const audit = opsAudit(db);
  const rendered = () => renderGate({ against: options.address?.() });
  const gateSteps = async () => [rendered(), await browserGate()];
  const [page, styles] = ['ops.html', 'ops.css'].map(asset);
  const script = browserScript(join(__dirname, 'client/main.ts'));

  const perform = async (act: Act, author: { by: string; why?: string; limits?: ActLimits }): Promise<string> => {
    const result = (await runAct(store, act, { ...author, channel, steps: gateSteps })) as {
      outcome: string;
      from: string;
      to: string;
      rev: number;
    };
    const { outcome, from, to, rev } = result;
    if (act.act === 'restore') return `everything is as it was at revision ${act.rev}; this is revision ${rev}`;
    if (act.act === 'promote-together') return `${to} are live for everybody`;
    if (act.act === 'settings') return `provenance is ${act.provenance}`;
    const { name } = act;
    if (act.act === 'rollback')
      return outcome === 'abandoned' ? `the canary ${name}@${from} is gone` : `${name} is back at ${to}, was ${from}`;
    if (act.act === 'render-off' || act.act === 'render-on')
      return `pages of ${name} are ${act.act === 'render-off' ? 'not rendered any more' : 'rendered again'}`;
    const version = 'version' in act && act.version;
    return `${name}${version ? `@${version}` : ''} is ${act.act === 'freeze' ? 'frozen' : 'not frozen any more'}`;
  };

  const jobs = new PromoteJobs({
    store,
    channel,
    queue: options.gateQueue ?? new GateQueue(),
    browserGate,
    renderGate: rendered,
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
    const rows = await history(store, { channel, limit: 30 });
    return { now, published, history: rows, shown, proposals: await secondPerson.list(channel) };
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

  async function state({ identity, agreesAs }: OpsVisitor): Promise<OpsState> {
    const { now, published, history: rows, shown, proposals: waiting } = await facts();
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
      may: mayDo(identity, row.name, channel),
    }));
    const bound = LIMIT_WITHOUT_BASELINE;
    const failingWebhooks = view?.failingWebhooks ?? [];
    const mayRestore = !refusalOf(identity, { act: 'restore', rev: 1 }, channel);
    const you = authorOf(identity);
    const proposals = waiting.map(({ id, act, why = '', by, at, agreed, subjects }) => {
      const mayDecide = !refusalOf(identity, act, channel);
      const mayConfirm = mayDecide && agreesAs !== null && !subjects.includes(hashOf(agreesAs));
      return { id, what: describeAct(act), why, by, at, agreed, mayDecide, mayConfirm };
    });
    return {
      ...now,
      you,
      proposals,
      mayRestore,
      bound,
      events: view?.events ?? null,
      failingWebhooks,
      releases,
      history: rows,
    };
  }

  return async (app) => {
    log = app.log;
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4096 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    const visitorOf = (request: FastifyRequest) => sessions.of(request.headers.cookie);
    await app.register(signIn({ sessions, openId, store, channel, webhooks, db, audit }));

    const promote = async (wanted: PromoteWanted, by: string, limits: ActLimits | undefined, reply: FastifyReply) => {
      const busy = jobs.running(wanted.name);
      if (busy) return refuse(reply, 409, `${busy.name} is being checked for ${busy.by} already.`);
      let started: ReturnType<PromoteJobs['start']>;
      try {
        started = jobs.start(wanted, by, limits);
      } catch (error) {
        if (error instanceof GateQueueFullError) return refuse(reply, 503, `${error.message}.`);
        throw error;
      }
      const { job, ended } = started;
      void ended.then(() => {
        read = null;
      });
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, ANSWER_MS))]);
      const code = { running: 202, done: 200, refused: 409 }[job.state];
      return reply.code(code).headers(OPS_HEADERS).send(job);
    };

    const carryOut = async (
      act: Act,
      { by, why, limits }: { by: string; why?: string; limits?: ActLimits },
      reply: FastifyReply,
    ) => {
      if (act.act !== 'promote')
        return reply.headers(OPS_HEADERS).send({ message: await perform(act, { by, why, limits }) });
      const { act: _, ...wanted } = act;
      return promote({ ...wanted, why }, by, limits, reply);
    };
    /** A second person confirms or declines what somebody has proposed. Throws StoreError. */
    const decide = async (
      request: FastifyRequest,
      reply: FastifyReply,
      { identity, agreesAs }: OpsVisitor,
      { action, proposal: id }: OpsDecision,
    ) => {
      const proposal = await secondPerson.get(id, channel);
      if (!proposal) return refuse(reply, 409, 'This proposal waits no more: it was begun, declined, or is a day old.');
      const { act } = proposal;
      const refusal = refusalOf(identity, act, channel);
      const subject = 'name' in act ? act.name : channel;
      const detail = { proposal: id, act: describeAct(act) };
      audit(request, `release.${action}${refusal ? '.refuse' : ''}`, identity, { subject, detail });
      if (refusal) return refuse(reply, 403, `${refusal}.`);
      if (action === 'decline') {
        await secondPerson.end(proposal);
        return reply.headers(OPS_HEADERS).send({ message: `declined: ${describeAct(act)}` });
      }
      const person = toPerson(agreesAs, authorOf(identity));
      if (!person) return refuse(reply, 403, 'A shared token is nobody: sign in as yourself to confirm.');
      const { missing, proposal: agreed } = await secondPerson.agree(proposal, person);
      if (missing > 0) {
        const message = `You agree: ${describeAct(act)}. One more person has to confirm it.`;
        return reply.headers(OPS_HEADERS).send({ message, proposed: true });
      }
      if (!(await secondPerson.end(proposal))) return refuse(reply, 409, 'Somebody else has just confirmed it.');
      return carryOut(act, { by: authorsOf(agreed), why: proposal.why, limits: proposal.limits }, reply);
    };

    app.get('/ops', async (request, reply) => {
      const isIn = (await visitorOf(request)) !== null;
      const { takesTokens } = sessions;
      const form = isIn
        ? ''
        : signInForm({ label: openId?.label ?? null, takesTokens, wasRefused: request.url.includes('?') });
      const body = String(page)
        .replace('data-state=""', `data-state="${isIn ? 'in' : 'out'}"`)
        .replace('<!--sign-in-->', () => form);
      return reply.headers(OPS_HEADERS).type('text/html; charset=utf-8').send(body);
    });
    app.get('/ops/ops.js', async (_request, reply) =>
      reply.headers(OPS_HEADERS).type('text/javascript; charset=utf-8').send(script),
    );
    app.get('/ops/ops.css', async (_request, reply) =>
      reply.headers(OPS_HEADERS).type('text/css; charset=utf-8').send(styles),
    );

    app.get('/ops/state.json', async (request, reply) => {
      const visitor = await visitorOf(request);
      if (!visitor) return refuse(reply, 401, 'Sign in again.');
      return reply.headers(OPS_HEADERS).send(await state(visitor));
    });
    app.post('/ops/act', { bodyLimit: 4096 }, async (request, reply) => {
      const visitor = await visitorOf(request);
      if (!visitor) return refuse(reply, 401, 'Sign in again.');
      // A form of another site can send neither this header nor this cookie.
      if (request.headers['x-ops'] !== '1') return refuse(reply, 403, 'Use the page.');
      if (holdsControlCharacters(request.body))
        return refuse(reply, 400, 'It holds control characters, which cannot be seen: type it again.');
      const wanted = toAction(request.body);
      if (!wanted) return refuse(reply, 400, 'This action is not complete.');
      try {
        if ('proposal' in wanted) return await decide(request, reply, visitor, wanted);
        const { identity, agreesAs } = visitor;
        const act = toAct(wanted);
        const refusal = refusalOf(identity, act, channel);
        const { action, ...detail } = wanted;
        const subject = 'name' in wanted ? wanted.name : channel;
        audit(request, `release.${action}${refusal ? '.refuse' : ''}`, identity, { subject, detail });
        if (refusal) return refuse(reply, 403, `${refusal}.`);
        const by = authorOf(identity);
        const why = 'skipBrowser' in wanted ? wanted.skipBrowser : wanted.why;
        const limits = secondPerson.limitsFor(act, limitsOf(identity));
        if (!secondPerson.isNeeded(act)) return await carryOut(act, { by, why, limits }, reply);
        await secondPerson.propose({ act, channel, why, by, limits }, toPerson(agreesAs, by));
        const message = `It is proposed: ${describeAct(act)}. Somebody else has to confirm it.`;
        return reply.headers(OPS_HEADERS).send({ message, proposed: true });
      } catch (error) {
        if (!isExpected(error)) throw error;
        return refuse(reply, 409, error.message);
      } finally {
        read = null;
      }
    });
    app.get<{ Params: { id: string } }>('/ops/jobs/:id', async (request, reply) => {
      if (!(await visitorOf(request))) return refuse(reply, 401, 'Sign in again.');
      const job = jobs.get(Number(request.params.id));
      return job ? reply.headers(OPS_HEADERS).send(job) : refuse(reply, 404, 'This server has no such promote.');
    });
    app.delete<{ Params: { id: string } }>('/ops/jobs/:id', async (request, reply) => {
      const visitor = await visitorOf(request);
      if (!visitor) return refuse(reply, 401, 'Sign in again.');
      if (request.headers['x-ops'] !== '1') return refuse(reply, 403, 'Use the page.');
      const id = Number(request.params.id);
      const name = jobs.get(id)?.name ?? '';
      const refusal = refusalOf(visitor.identity, { act: 'rollback', name }, channel);
      if (refusal) return refuse(reply, 403, `${refusal}.`);
      if (!jobs.leave(id)) return refuse(reply, 409, 'It does not wait any more.');
      return reply.headers(OPS_HEADERS).send({ message: 'It left the queue.' });
    });
  };
}
