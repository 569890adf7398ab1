/**
 * `POST /api/health/report` receives batches of observations from the shell's `sendBeacon`. Unknown releases and reports without
 * a valid token are not counted. `POST /api/health/token` returns the token, for documents that this server has not sent.
 */
import { randomBytes } from 'node:crypto';
import { cookieOf, setCookie } from '@platform/pages/cookies';
import type { RenderFault } from '@platform/pages/rendering';
import { preferencesOf, type SentPage } from '@platform/pages/serving';
import { canaryEntry, type MapSource, type ReleaseMap } from '@platform/releases';
import {
  ARRIVAL,
  countReport,
  type HealthCounts,
  NetworkBudget,
  TOKEN_VALID_FOR,
  trafficOf,
  type Visit,
  type VisitSteps,
  type VisitTokens,
} from '@platform/watch';
import { ErrorCode } from '@shop/shared/domain';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { budgetOf, networkOf } from '../platform/http/networks';
import { STEP_OF_PAGE, type Step } from './visit-actions.plugin';

const LARGEST_BATCH = 20;
const LARGEST_BODY = 8 * 1024;
/** Requests of one network in a minute. Many shoppers can be behind one; how much of them counts is HealthCounts' matter. */
const REQUESTS_A_MINUTE = 600;

const VISIT_COOKIE = 'visit_token';
const VISIT_STANDS_MS = 6 * 3_600_000;

/**
 * The token of the browser, or a new one in its cookie if that has too little time left. Scripts may read it; it grants no access.
 * The token of a document names its releases, so another revision of the map begins another visit.
 */
function giveToken(tokens: VisitTokens, request: FastifyRequest, reply: FastifyReply, page?: SentPage) {
  const network = networkOf(request.ip);
  const token = cookieOf(request, VISIT_COOKIE) ?? '';
  const current = tokens.read(token, network);
  if (current && current.left > TOKEN_VALID_FOR / 2 && (!page || isOf(page, current.visit)))
    return { token, visit: current.visit };
  const isNew = cookieOf(request, 'visitor') === undefined;
  const issued = tokens.issue(network, page && { rev: page.map.rev, visitor: page.visitor, isNew });
  setCookie(request, reply, VISIT_COOKIE, issued, { path: '/', maxAge: TOKEN_VALID_FOR, sameSite: 'lax' });
  return { token: issued, visit: tokens.read(issued, network)?.visit };
}

function isOf({ map, visitor }: SentPage, visit: Visit | undefined): boolean {
  // The first page chooses the visitor number itself, which makes no difference without a canary.
  const hasCanary = Object.keys(map.microFrontends).some((name) => canaryEntry(map, name));
  return visit?.rev === map.rev && (visit.visitor === visitor || (visit.visitor === null && !hasCanary));
}

const deviceOf = ({ headers }: FastifyRequest) => (/Mobi/.test(headers['user-agent'] ?? '') ? 'phone' : 'desktop');

/** Records the funnel steps of visits: documents as they are sent, and actions whose call carries the cookie of a document. */
export function visitCounter(tokens: VisitTokens, steps: VisitSteps) {
  const note = (request: FastifyRequest, visit: Visit, names: readonly string[], words: readonly string[]) => {
    const segment = [...words, deviceOf(request), visit.isNew ? 'new' : 'returning'];
    try {
      for (const step of names) steps.note({ visit, network: budgetOf(request.ip), step, segment });
    } catch (error) {
      request.log.error({ err: error, names }, 'a step could not be counted');
    }
  };
  const reached = new LRUCache<string, string>({ max: 50_000, ttl: VISIT_STANDS_MS });
  /**
   * One account reaches a step with a revision once, from any number of networks, because a phone number is harder to get than an address.
   */
  const isFirst = ({ viewer, body }: FastifyRequest, { id, rev }: Visit, step: Step): boolean => {
    const identifiers = body as { phone?: unknown; email?: unknown } | null | undefined;
    const account = viewer?.id ?? identifiers?.phone ?? identifiers?.email;
    const key = `${rev} ${step} ${account}`;
    if (account === undefined || reached.get(key) === id) return true;
    if (reached.has(key)) return false;
    reached.set(key, id);
    return true;
  };
  return {
    /** Only browsers that open a page begin a visit; requests of tools and crawlers lead to no orders. */
    onDocument(request: FastifyRequest, reply: FastifyReply, page: SentPage): void {
      const isPreview = page.map.preview !== undefined;
      const { visit } = giveToken(tokens, request, reply, isPreview ? undefined : page);
      if (isPreview || !visit || request.headers['sec-fetch-dest'] !== 'document') return;
      const shown = STEP_OF_PAGE[page.route?.kind ?? ''];
      const { language } = preferencesOf(request);
      note(request, visit, shown ? [ARRIVAL, shown] : [ARRIVAL], [language, language === 'en' ? 'USD' : 'CNY']);
    },
    onStep(request: FastifyRequest, step: Step): void {
      const visit = tokens.read(cookieOf(request, VISIT_COOKIE), networkOf(request.ip))?.visit;
      if (visit && isFirst(request, visit, step)) note(request, visit, [step], [request.locale, request.currency]);
    },
  };
}

/**
 * Counts a page that the server could not render as a failed visit of its release, as if the visitor's browser had reported it.
 * It counts only for browsers that open a page, because crawlers and tools never report successful visits.
 */
export function faultReporter(counts: HealthCounts) {
  return (request: FastifyRequest, map: ReleaseMap, { name, version }: RenderFault): void => {
    const { ip, headers } = request;
    const traffic = trafficOf(map, name, version);
    if (traffic === null || headers['sec-fetch-dest'] !== 'document') return;
    const language = /^en\b/i.test(headers['accept-language'] ?? '') ? 'en' : 'zh-CN';
    counts.add(
      { name, version, visit: randomBytes(8).toString('hex'), kind: 'render' },
      { network: budgetOf(ip), context: { language, device: deviceOf(request), signedIn: false }, traffic },
    );
  };
}

interface HealthOptions {
  source: MapSource;
  counts: HealthCounts;
  tokens: VisitTokens;
}

type Report = Partial<Record<'token' | 'context' | 'events', unknown>>;

export function healthPlugin({ source, counts, tokens }: HealthOptions): FastifyPluginAsync {
  const requests = new NetworkBudget('', Date.now, REQUESTS_A_MINUTE);
  return async (app) => {
    app.post<{ Body: Report | null }>('/api/health/report', { bodyLimit: LARGEST_BODY }, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (!requests.take(networkOf(request.ip))) return reply.code(429).send({ code: ErrorCode.TooManyRequests });
      const { token, context, events } = request.body ?? {};
      if (!Array.isArray(events) || events.length > LARGEST_BATCH)
        return reply.code(400).send({ code: ErrorCode.InvalidInput });
      // The token comes from the body, or from the cookie, which every beacon of this site carries.
      if (!tokens.read(token ?? cookieOf(request, VISIT_COOKIE), networkOf(request.ip))) {
        // The phone has changed its network, or the tab is older than the last deploy: its next report counts.
        giveToken(tokens, request, reply);
        return reply.code(204).send();
      }
      countReport(counts, await source.get(), { context, events }, budgetOf(request.ip));
      return reply.code(204).send();
    });

    app.post('/api/health/token', { bodyLimit: 1024 }, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (!requests.take(networkOf(request.ip))) return reply.code(429).send({ code: ErrorCode.TooManyRequests });
      return reply.send({ token: giveToken(tokens, request, reply).token });
    });
  };
}
