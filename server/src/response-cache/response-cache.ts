import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Sql } from '../db/sql';
import { ok } from '../http/envelope';
import type { Viewer } from '../http/request';
import type { Envelope } from '../http/schemas';

/** What became of the stock of some goods; marks are 0 out, 1 in, 2 low. */
export interface StockChange {
  goods_id: number;
  sold_out: boolean;
  /** Active spec to its mark. */
  marks: Record<string, number>;
}

/** An answer that is the same for every visitor who asks alike. */
export interface CacheableResponse<T> {
  data: T;
  /** Goods whose stock it tells of, and whether it still tells the truth after a change of one of them. */
  goods?: number[];
  holds?: (change: StockChange) => boolean;
  /** Time in ms at which it ends by itself. */
  until?: number;
  /** Whether it is to be completed with something of a signed-in person's own. */
  personal?: boolean;
}

interface Kept {
  body: Buffer;
  headers: Record<string, string>;
  goods: number[];
  holds: (change: StockChange) => boolean;
  until: number;
  personal: boolean;
}
interface Making {
  epoch: number;
  kept: Promise<Kept>;
}

const ANSWERS_BYTES = 32 * 1024 * 1024;
/** Words are endless: what is looked for must not push out what everybody asks for. */
const SEARCHES_BYTES = 4 * 1024 * 1024;
const ENTRY_OVERHEAD = 600;
/** Rows of public_changes are kept longer than this; a process that slept beyond it starts afresh. */
const LONGEST_GAP_MS = 5 * 60_000;

/**
 * Answers of public calls in this process's memory. Before one is used, the database has been asked, at most `freshMs` ago, what has
 * changed since the answers were made. So an answer at time t knows of every change that was committed, by any
 * process, before t − freshMs; with 0 the database is asked for each. Many requests share one such question, and many that miss the
 * same answer share its making. An order never relies on any of this: it reads the truth in its transaction.
 */
export class ResponseCache {
  /** For /metrics. */
  readonly counts = { kept: 0, made: 0, checks: 0 };
  private readonly answers = this.store(ANSWERS_BYTES);
  private readonly searches = this.store(SEARCHES_BYTES);
  /** Address, language and currency of a guest to the name of the answer. */
  private readonly addresses = new LRUCache<string, string>({ max: 5000, maxSize: 2_000_000, sizeCalculation: sizeOf });
  private readonly byGoods = new Map<number, Set<string>>();
  private readonly making = new Map<string, Making>();
  /** Counts what changed; an answer whose making began in an earlier epoch is not kept. */
  private epoch = 0;
  private snapshot: string | null = null;
  private snapshotAt: string | null = null;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private checking: Promise<void> | undefined;

  constructor(
    private readonly sql: Sql,
    private readonly freshMs: number,
  ) {}

  /** Bytes held. */
  get size(): number {
    return this.answers.calculatedSize + this.searches.calculatedSize;
  }

  /**
   * Sends the answer under `key`, which names everything that it depends on, from memory or made by `make`; with its ETag, or as 304
   * to who has it. An error of `make` is nobody's but the request's. With `complete`, a signed-in person gets a personal answer
   * completed, and that is kept nowhere.
   */
  send<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    key: unknown[],
    make: () => Promise<CacheableResponse<T>>,
    complete?: (data: T, viewer: Viewer) => Promise<T>,
  ): Promise<Envelope<T>> | Envelope<T> {
    const name = nameOf(request, key);
    const { viewer } = request;
    if (!viewer) this.addresses.set(addressOf(request), name);
    const finish = (kept: Kept) =>
      viewer && complete && kept.personal
        ? complete((JSON.parse(kept.body.toString()) as Envelope<T>).data, viewer).then((data) => ok(request, data))
        : this.reply<T>(request, reply, kept);
    const kept = this.isFresh() ? this.find(name) : undefined;
    return kept ? finish(kept) : this.findOrMake(request, reply, name, make).then(finish);
  }

  /**
   * Before anything of a guest's request is looked at: sends what the very same address was answered under the same language and
   * currency, if that is still in memory. Which answer an address leads to never changes, so nothing is skipped but work.
   */
  sendAgain(request: FastifyRequest, reply: FastifyReply): boolean {
    if (request.method !== 'GET' || request.headers.authorization !== undefined) return false;
    const name = this.addresses.get(addressOf(request));
    const kept = name !== undefined && this.isFresh() ? this.find(name) : undefined;
    if (!kept) return false;
    this.reply(request, reply, kept);
    return true;
  }

  /** What is sent are the kept bytes, whatever the handler's type says. */
  private reply<T>(request: FastifyRequest, reply: FastifyReply, { body, headers }: Kept): Envelope<T> {
    reply.headers(headers);
    const known = request.headers['if-none-match'];
    if (known && (known === headers.etag || knows(known, headers.etag as string)))
      return reply.code(304).send() as never;
    return reply.send(body) as never;
  }

  private async findOrMake<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    make: () => Promise<CacheableResponse<T>>,
  ): Promise<Kept> {
    await this.freshen();
    const kept = this.find(name);
    if (kept) return kept;
    const running = this.making.get(name);
    // One that began before the last known change may lack it.
    if (running?.epoch === this.epoch) return running.kept;
    const { epoch } = this;
    const one: Making = { epoch, kept: make().then((answer) => pack(request, reply, answer)) };
    this.making.set(name, one);
    try {
      const made = await one.kept;
      this.counts.made += 1;
      if (epoch === this.epoch) this.keep(name, made);
      return made;
    } finally {
      if (this.making.get(name) === one) this.making.delete(name);
    }
  }

  private find(name: string): Kept | undefined {
    const store = this.storeOf(name);
    const kept = store.get(name);
    if (!kept) return undefined;
    if (kept.until <= Date.now()) {
      store.delete(name);
      return undefined;
    }
    this.counts.kept += 1;
    return kept;
  }

  private keep(name: string, kept: Kept): void {
    this.storeOf(name).set(name, kept);
    if (!this.storeOf(name).has(name)) return; // larger than the store
    for (const id of kept.goods) {
      const names = this.byGoods.get(id);
      if (names) names.add(name);
      else this.byGoods.set(id, new Set([name]));
    }
  }

  private storeOf = (name: string) => (name.startsWith(`"${SEARCH}"`) ? this.searches : this.answers);
  private store(maxSize: number): LRUCache<string, Kept> {
    return new LRUCache<string, Kept>({
      maxSize,
      sizeCalculation: (kept, name) => kept.body.length + name.length * 2 + kept.goods.length * 64 + ENTRY_OVERHEAD,
      dispose: ({ goods }, name) => {
        for (const id of goods) {
          const names = this.byGoods.get(id);
          names?.delete(name);
          if (names?.size === 0) this.byGoods.delete(id);
        }
      },
    });
  }

  /** Whether the answers may be used as they are; asks ahead of time, so that under load nobody waits for the question. */
  private isFresh(): boolean {
    const age = performance.now() - this.checkedAt;
    if (age >= this.freshMs) return false;
    if (age > this.freshMs / 2) this.check().catch(() => {}); // whoever finds them too old asks again, and hears of the fault
    return true;
  }

  private async freshen(): Promise<void> {
    const oldest = performance.now() - this.freshMs;
    while (this.checkedAt < oldest) await this.check();
  }

  private check(): Promise<void> {
    this.checking ??= this.ask().finally(() => {
      this.checking = undefined;
    });
    return this.checking;
  }

  private async ask(): Promise<void> {
    const startedAt = performance.now();
    this.counts.checks += 1;
    const { snapshot, at, changes } = await this.sql.one<{ snapshot: string; at: string; changes: StockChange[] }>(
      `with changed as (
         select goods_id from public_changes_since($1::pg_snapshot) as goods_id
         union
         select s.goods_id from card_codes c join goods_specs s on s.id = c.spec_id
          where c.state = 0 and c.expire_at > $2::timestamptz and c.expire_at <= clock_timestamp()
       )
       select pg_current_snapshot()::text as snapshot, clock_timestamp()::text as at, coalesce((
         select json_agg(json_build_object('goods_id', c.goods_id, 'sold_out', g.spec_type = 1 and m.sold_out,
                                           'marks', coalesce(m.marks, '{}')))
           from changed c left join goods g on g.id = c.goods_id
           left join lateral (
             select coalesce(bool_and(s.mark = 0), true) as sold_out, json_object_agg(s.id, s.mark) as marks from (
               select id, spec_stock_mark(g.recharge_type, id, stock) as mark
                 from goods_specs where goods_id = g.id and active) s
           ) m on true
       ), '[]') as changes`,
      [this.snapshot, this.snapshotAt],
    );
    if (this.snapshot === null || startedAt - this.checkedAt > LONGEST_GAP_MS) this.clear();
    else if (changes.length) this.take(changes);
    this.snapshot = snapshot;
    this.snapshotAt = at;
    this.checkedAt = startedAt;
  }

  private take(changes: StockChange[]): void {
    this.epoch += 1;
    if (changes.some(({ goods_id }) => goods_id === 0)) {
      this.clear();
      return;
    }
    for (const change of changes) {
      for (const name of [...(this.byGoods.get(change.goods_id) ?? [])]) {
        const store = this.storeOf(name);
        if (store.peek(name)?.holds(change) === false) store.delete(name);
      }
    }
  }

  private clear(): void {
    this.epoch += 1;
    this.answers.clear();
    this.searches.clear();
  }
}

/** First part of a key whose answers are kept apart, because there are as many of them as there are words. */
export const SEARCH = 'search';

const addressOf = ({ url, locale, currency }: FastifyRequest) => `${locale}${currency}${url}`;
const sizeOf = (name: string, address: string) => name.length + address.length + 1;

/** Which route, in which language; then what the answer depends on. Only values that were checked come here, never a raw query. */
function nameOf(request: FastifyRequest, key: unknown[]): string {
  const parts = JSON.stringify(key).slice(1, -1);
  return `${parts}|${request.locale}`;
}

function pack<T>(request: FastifyRequest, reply: FastifyReply, answer: CacheableResponse<T>): Kept {
  const body = Buffer.from(reply.serialize(ok(request, answer.data) as never) as string);
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      etag: `"${tag}"`,
      'cache-control': 'private, no-cache',
      vary: 'authorization, currency, locale',
    },
    goods: answer.goods ?? [],
    holds: answer.holds ?? (() => true),
    until: answer.until ?? Number.POSITIVE_INFINITY,
    personal: answer.personal ?? false,
  };
}

/** RFC 9110: a list of tags, compared weakly for If-None-Match. */
function knows(given: string, etag: string): boolean {
  return given === '*' || given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
