import { createHash } from 'node:crypto';
import { matchesEtag } from '@platform/pages/etag';
import { SpecType } from '@shop/shared/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { CardState } from '../db/named-numbers';
import type { Sql } from '../db/sql';
import { ok } from '../http/envelope';
import type { Viewer } from '../http/request';
import type { Envelope } from '../http/schemas';

export interface StockChange {
  goods_id: number;
  sold_out: boolean;
  /** Active spec id to its stock mark: 0 out of stock, 1 in stock, 2 low. */
  marks: Record<string, number>;
}

export interface CacheableResponse<T> {
  data: T;
  /** Goods whose stock the response shows, and a check whether it is still valid after a change of one of them. */
  goodsIds?: number[];
  isStillValid?: (change: StockChange) => boolean;
  /** Epoch time in ms. */
  expiresAt?: number;
  personal?: boolean;
}

export interface PublicRead<T> {
  /** All inputs of the response apart from the language. They must be validated values, never a raw query. */
  dependsOn: unknown[];
  load(): Promise<CacheableResponse<T>>;
  /** Completes a personal response for a signed-in user; the result is never stored. */
  personalise?(data: T, viewer: Viewer): Promise<T>;
}

export interface PublicAnswer {
  body: Buffer;
  etag: string;
}

type GuestRequest = Pick<FastifyRequest, 'url' | 'locale' | 'currency' | 'id'>;
type Serialise = (envelope: unknown) => string;

interface CachedResponse {
  body: Buffer;
  data?: unknown;
  headers: Record<string, string>;
  goodsIds: number[];
  isStillValid: (change: StockChange) => boolean;
  expiresAt: number;
  personal: boolean;
}

const RESPONSES_BYTES = 32 * 1024 * 1024;
/** The number of search words is unlimited, so they have a separate store and evict nothing else. */
const SEARCHES_BYTES = 4 * 1024 * 1024;
const DOCUMENTS_BYTES = 16 * 1024 * 1024;
const ENTRY_OVERHEAD = 600;
/** Rows of public_changes are deleted later than this; a process that slept longer starts with an empty cache. */
const LONGEST_GAP_MS = 5 * 60_000;

export const SEARCH = 'search';
const DOCUMENT = 'document';

/**
 * Caches public responses in this process's memory. A stock change removes the responses that show another stock mark; any other
 * change in the database clears the cache. A cached response is used only if the process has checked the database for changes at
 * most `freshMs` ago. So a response sent at time t includes every change that any process committed before t − freshMs; with 0
 * the database is checked for each request. Requests share one such check, and requests that miss the same key share one load.
 * Orders never rely on the cache: they read in their own transaction.
 */
export class ResponseCache {
  readonly counts = { hits: 0, misses: 0, checks: 0 };
  private readonly responses = this.createStore(RESPONSES_BYTES);
  private readonly searches = this.createStore(SEARCHES_BYTES);
  private readonly documents = this.createStore(DOCUMENTS_BYTES);
  /** URL, language and currency of guests' requests to the key of the response. */
  private readonly keysByUrl = new LRUCache<string, string>({
    max: 5000,
    maxSize: 2_000_000,
    sizeCalculation: (key, url) => key.length + url.length + 1,
  });
  private readonly keysByGoods = new Map<number, Set<string>>();
  private readonly pendingLoads = new Map<string, { epoch: number; response: Promise<CachedResponse> }>();
  /** Counts changes; a response whose load began in an earlier epoch is not stored. */
  private epoch = 0;
  private snapshot: string | null = null;
  private snapshotAt: string | null = null;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private pendingCheck: Promise<void> | undefined;

  constructor(
    private readonly sql: Sql,
    private readonly freshMs: number,
  ) {}

  /** Bytes in memory. */
  get size(): number {
    return this.responses.calculatedSize + this.searches.calculatedSize + this.documents.calculatedSize;
  }

  send<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    read: PublicRead<T>,
    serialise: Serialise,
  ): Promise<Envelope<T>> | Envelope<T> {
    const key = keyOf(request, read.dependsOn);
    const { viewer } = request;
    const { personalise } = read;
    if (!viewer) this.keysByUrl.set(urlKeyOf(request), key);
    const finish = (cached: CachedResponse) =>
      viewer && personalise && cached.personal
        ? personalise((JSON.parse(cached.body.toString()) as Envelope<T>).data, viewer).then((data) =>
            ok(request, data),
          )
        : this.reply<T>(request, reply, cached);
    const cached = this.isFresh() ? this.find(key) : undefined;
    return cached ? finish(cached) : this.findOrLoad(key, () => loaded(request, read, serialise)).then(finish);
  }

  /** With a viewer, a personal response is completed for them. */
  async answer<T>(
    request: GuestRequest,
    read: PublicRead<T>,
    serialise: Serialise,
    viewer?: Viewer,
  ): Promise<PublicAnswer> {
    const key = keyOf(request, read.dependsOn);
    if (!viewer) this.keysByUrl.set(urlKeyOf(request), key);
    const cached = await this.findOrLoad(key, () => loaded(request, read, serialise));
    if (!viewer || !read.personalise || !cached.personal) return answerOf(cached);
    const { data } = JSON.parse(cached.body.toString()) as Envelope<T>;
    const body = Buffer.from(serialise(ok(request, await read.personalise(data, viewer))));
    return { body, etag: '' };
  }

  /**
   * Data of documents, from memory or from `load`; as fresh as a response, and the same object until it changes. It has a
   * separate store, because visitors may request any number of addresses.
   */
  async read<T>(dependsOn: unknown[], load: () => Promise<CacheableResponse<T>>): Promise<T> {
    const data = this.readNow<T>(dependsOn);
    if (data !== undefined) return data;
    const cached = await this.findOrLoad(documentKeyOf(dependsOn), async () => {
      const response = await load();
      const body = Buffer.from(JSON.stringify(response.data));
      return { ...cachedResponse(response, body, {}), data: response.data };
    });
    return cached.data as T;
  }

  readNow<T>(dependsOn: unknown[]): T | undefined {
    return this.isFresh() ? (this.find(documentKeyOf(dependsOn))?.data as T | undefined) : undefined;
  }

  /**
   * Sends a guest the cached response of the same URL, language and currency; returns false if there is none. The key of a URL
   * never changes, so validation and handler can be skipped.
   */
  sendAgain(request: FastifyRequest, reply: FastifyReply): boolean {
    if (request.method !== 'GET' || request.headers.authorization !== undefined) return false;
    const cached = this.cachedFor(request);
    if (!cached) return false;
    this.reply(request, reply, cached);
    return true;
  }

  peek(request: Omit<GuestRequest, 'id'>): PublicAnswer | undefined {
    const cached = this.cachedFor(request);
    return cached && answerOf(cached);
  }

  private cachedFor(request: Omit<GuestRequest, 'id'>): CachedResponse | undefined {
    const key = this.keysByUrl.get(urlKeyOf(request));
    return key !== undefined && this.isFresh() ? this.find(key) : undefined;
  }

  private reply<T>(request: FastifyRequest, reply: FastifyReply, { body, headers }: CachedResponse): Envelope<T> {
    reply.headers(headers);
    const tags = request.headers['if-none-match'];
    if (matchesEtag(tags, (headers.etag as string).slice(1, -1))) return reply.code(304).send() as never;
    return reply.send(body) as never;
  }

  private async findOrLoad(key: string, load: () => Promise<CachedResponse>): Promise<CachedResponse> {
    await this.refresh();
    const cached = this.find(key);
    if (cached) return cached;
    const pending = this.pendingLoads.get(key);
    // A load that began before the last known change may lack that change.
    if (pending?.epoch === this.epoch) return pending.response;
    const { epoch } = this;
    const pendingLoad = { epoch, response: load() };
    this.pendingLoads.set(key, pendingLoad);
    try {
      const loaded = await pendingLoad.response;
      this.counts.misses += 1;
      if (epoch === this.epoch) this.store(key, loaded);
      return loaded;
    } finally {
      if (this.pendingLoads.get(key) === pendingLoad) this.pendingLoads.delete(key);
    }
  }

  private find(key: string): CachedResponse | undefined {
    const store = this.storeOf(key);
    const cached = store.get(key);
    if (!cached) return undefined;
    if (cached.expiresAt <= Date.now()) {
      store.delete(key);
      return undefined;
    }
    this.counts.hits += 1;
    return cached;
  }

  private store(key: string, response: CachedResponse): void {
    this.storeOf(key).set(key, response);
    if (!this.storeOf(key).has(key)) return; // The response is larger than the store.
    for (const id of response.goodsIds) {
      const keys = this.keysByGoods.get(id);
      if (keys) keys.add(key);
      else this.keysByGoods.set(id, new Set([key]));
    }
  }

  private storeOf(key: string): LRUCache<string, CachedResponse> {
    if (key.startsWith(`"${DOCUMENT}"`)) return this.documents;
    return key.startsWith(`"${SEARCH}"`) ? this.searches : this.responses;
  }
  private createStore(maxSize: number): LRUCache<string, CachedResponse> {
    return new LRUCache<string, CachedResponse>({
      maxSize,
      sizeCalculation: ({ body, goodsIds }, key) =>
        body.length + key.length * 2 + goodsIds.length * 64 + ENTRY_OVERHEAD,
      dispose: ({ goodsIds }, key) => {
        for (const id of goodsIds) {
          const keys = this.keysByGoods.get(id);
          keys?.delete(key);
          if (keys?.size === 0) this.keysByGoods.delete(id);
        }
      },
    });
  }

  /** Whether the cache may be used without a check. It starts a check ahead of time, so that under load no request waits for one. */
  private isFresh(): boolean {
    const age = performance.now() - this.checkedAt;
    if (age >= this.freshMs) return false;
    if (age > this.freshMs / 2) this.checkOnce().catch(() => {}); // The next request that needs a check gets the error.
    return true;
  }

  private async refresh(): Promise<void> {
    const oldest = performance.now() - this.freshMs;
    while (this.checkedAt < oldest) await this.checkOnce();
  }

  private checkOnce(): Promise<void> {
    this.pendingCheck ??= this.readChanges().finally(() => {
      this.pendingCheck = undefined;
    });
    return this.pendingCheck;
  }

  private async readChanges(): Promise<void> {
    const startedAt = performance.now();
    this.counts.checks += 1;
    const { snapshot, at, changes } = await this.sql.one<{ snapshot: string; at: string; changes: StockChange[] }>(
      `with changed as (
         select goods_id from public_changes_since($1::pg_snapshot) as goods_id
         union
         select s.goods_id from card_codes c join goods_specs s on s.id = c.spec_id
          where c.state = ${CardState.Free} and c.expire_at > $2::timestamptz and c.expire_at <= clock_timestamp()
       )
       select pg_current_snapshot()::text as snapshot, clock_timestamp()::text as at, coalesce((
         select json_agg(json_build_object('goods_id', c.goods_id, 'sold_out', g.spec_type = ${SpecType.FaceValues} and m.sold_out,
                                           'marks', coalesce(m.marks, '{}')))
           from changed c left join goods g on g.id = c.goods_id
           left join lateral (
             select coalesce(bool_and(s.mark = 0), true) as sold_out, json_object_agg(s.id, s.mark) as marks from (
               select id, spec_stock_mark(case when shared then 0 else g.recharge_type end, id, case when supply_hold is null then stock else 0 end) as mark
                 from goods_specs where goods_id = g.id and active) s
           ) m on true
       ), '[]') as changes`,
      [this.snapshot, this.snapshotAt],
    );
    if (this.snapshot === null || startedAt - this.checkedAt > LONGEST_GAP_MS) this.clear();
    else if (changes.length) this.apply(changes);
    this.snapshot = snapshot;
    this.snapshotAt = at;
    this.checkedAt = startedAt;
  }

  private apply(changes: StockChange[]): void {
    this.epoch += 1;
    // Goods id 0 stands for every change except stock.
    if (changes.some(({ goods_id }) => goods_id === 0)) {
      this.clear();
      return;
    }
    for (const change of changes) {
      for (const key of [...(this.keysByGoods.get(change.goods_id) ?? [])]) {
        const store = this.storeOf(key);
        if (store.peek(key)?.isStillValid(change) === false) store.delete(key);
      }
    }
  }

  private clear(): void {
    this.epoch += 1;
    this.responses.clear();
    this.searches.clear();
    this.documents.clear();
  }
}

const documentKeyOf = (dependsOn: unknown[]) => JSON.stringify([DOCUMENT, ...dependsOn]).slice(1, -1);

const urlKeyOf = ({ url, locale, currency }: Omit<GuestRequest, 'id'>) => `${locale}${currency}${url}`;

const keyOf = ({ locale }: GuestRequest, dependsOn: unknown[]) => `${JSON.stringify(dependsOn).slice(1, -1)}|${locale}`;

const answerOf = ({ body, headers }: CachedResponse): PublicAnswer => ({ body, etag: headers.etag as string });

async function loaded<T>(
  request: GuestRequest,
  { load }: PublicRead<T>,
  serialise: Serialise,
): Promise<CachedResponse> {
  // A copy, because the response must not keep the request in memory.
  const { locale, id } = request;
  const response = await load();
  const body = Buffer.from(serialise(ok({ locale, id }, response.data)));
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return cachedResponse(response, body, {
    'content-type': 'application/json; charset=utf-8',
    etag: `"${tag}"`,
    'cache-control': 'private, no-cache',
    vary: 'authorization, currency, locale',
  });
}

function cachedResponse<T>(
  response: CacheableResponse<T>,
  body: Buffer,
  headers: Record<string, string>,
): CachedResponse {
  const { goodsIds = [], isStillValid = () => true, expiresAt = Number.POSITIVE_INFINITY, personal = false } = response;
  return { body, headers, goodsIds, isStillValid, expiresAt, personal };
}
