/**
 * Shoppers for one remote, at a steady rate. Each has an address of its own, gets a document and sends the reports that the shell
 * would send for it; no browser runs.
 */
import { randomBytes } from 'node:crypto';
import { type PageMap, selectEntry } from '@platform/releases';
import { Buyer } from './buyer';
import type { Drill, Shopper } from './drills';

export interface Seen {
  /** Visits since the release went live. */
  visits: number;
  /** Of these, visits that got the release. */
  ran: number;
  /** Of these, visits that met its fault. */
  met: number;
  /** Orders of all visits since then. */
  orders: number;
}

/** As long as the shell collects events before it sends them. */
const COLLECT_MS = 2_000;
const TICK_MS = 50;
const TIMEOUT_MS = 10_000;

let shoppers = 0;

/** Every fifth English, every second on a phone, two of five signed in, half of them returning, six of ten press something; a quarter see a price, and one in twenty buys. */
function nextShopper(): Shopper {
  const index = shoppers++;
  const [first, second] = [index % 5, Math.floor(index / 5) % 2];
  // Five that follow each other, so that those who buy are of all kinds.
  const place = Math.floor(index / 5) % 20;
  return {
    address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
    visitor: ((index * 61) % 10_000) / 100,
    language: first === 0 ? 'en' : 'zh-CN',
    device: index % 2 ? 'desktop' : 'phone',
    signedIn: first === 1 || first === 2,
    returning: second === 0,
    clicks: index % 10 < 6,
    seesPrice: place % 4 === 0,
    buys: place === 0,
  };
}

export interface ShoppersOptions {
  name: string;
  path: string;
  page: string;
  /** Only signed-in shoppers see it. */
  isGuarded: boolean;
  visitsAMinute: number;
  url: string;
}

export class Shoppers {
  /** Requests that were answered with an error or not at all. */
  failedRequests = 0;
  /** Nobody comes meanwhile. */
  held = false;
  private bad: { version: string; drill: Drill; seen: Seen } | null = null;
  private readonly started = performance.now();
  private sent = 0;
  private readonly timer: NodeJS.Timeout;
  private readonly maps = new Map<string, PageMap>();
  private readonly running = new Set<Promise<void>>();
  private stopped = false;
  private readonly buyer: Buyer;

  constructor(private readonly options: ShoppersOptions) {
    this.buyer = new Buyer(options.url);
    this.timer = setInterval(() => this.sendDue(), TICK_MS);
  }

  /** From now on visits that get this version meet the fault of the drill. */
  watch(version: string, drill: Drill): Seen {
    const seen = { visits: 0, ran: 0, met: 0, orders: 0 };
    this.bad = { version, drill, seen };
    return seen;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopped = true;
    await Promise.all(this.running);
  }

  private sendDue(): void {
    const due = Math.floor(((performance.now() - this.started) * this.options.visitsAMinute) / 60_000);
    if (this.held) this.sent = due;
    for (; this.sent < due; this.sent += 1) {
      const { isGuarded } = this.options;
      const shopper = nextShopper();
      const visit = this.visit({ ...shopper, signedIn: isGuarded || shopper.signedIn }).catch(() => {
        this.failedRequests += 1;
      });
      this.running.add(visit);
      void visit.finally(() => this.running.delete(visit));
    }
  }

  private async visit(shopper: Shopper): Promise<void> {
    const { name, page } = this.options;
    const { version, token } = await this.open(shopper);
    const { bad } = this;
    const isBad = bad?.version === version;
    const { stops } = bad?.drill ?? {};
    const getsThere = stops === 'price' ? shopper.seesPrice : shopper.buys;
    const fails = isBad && (bad.drill.meets?.(shopper) ?? true) && (!stops || getsThere);
    if (bad) {
      bad.seen.visits += 1;
      if (isBad) bad.seen.ran += 1;
      if (fails) bad.seen.met += 1;
    }
    const visit = { name, version, page, visit: randomBytes(8).toString('hex') };
    const failure = fails ? bad.drill.reports : null;
    const events = [{ ...visit, kind: 'visit' }];
    if (failure?.afterMs === 0) events.push({ ...visit, kind: failure.kind });
    await this.pause(COLLECT_MS);
    await this.report(shopper, token, events);
    if (bad && stops && !(fails && stops === 'price')) await this.buy(shopper, token, bad.seen, fails);
    if (!failure?.afterMs) return;
    await this.pause(failure.afterMs);
    await this.report(shopper, token, [{ ...visit, kind: failure.kind }]);
  }

  private async buy(shopper: Shopper, token: string, seen: Seen, isStopped: boolean): Promise<void> {
    const { address, visitor, seesPrice, buys } = shopper;
    const cookie = `visitor=${visitor}; visit_token=${token}`;
    if (seesPrice) await this.buyer.seePrice({ address, cookie });
    if (!buys || isStopped) return;
    await this.buyer.order({ address, cookie });
    seen.orders += 1;
  }

  /** The release that the document gives to this shopper. */
  private async open({ address, visitor }: Shopper): Promise<{ version: string; token: string }> {
    const response = await fetch(this.options.url + this.options.path, {
      headers: {
        accept: 'text/html',
        'sec-fetch-dest': 'document',
        'accept-encoding': 'identity',
        'x-forwarded-for': address,
        cookie: `visitor=${visitor}`,
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const html = await response.text();
    const etag = response.headers.get('etag') ?? '';
    const map = this.maps.get(etag) ?? readMap(html);
    if (etag) this.maps.set(etag, map);
    const token = /visit_token=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1];
    const version = selectEntry(map.microFrontends[this.options.name], visitor)?.metadata.version;
    if (!version || !token) throw new Error(`the document of ${this.options.path} has no release or no token`);
    return { version, token };
  }

  private async report({ address, language, device, signedIn }: Shopper, token: string, events: object[]) {
    const response = await fetch(`${this.options.url}/api/health/report`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ token, context: { language, device, signedIn }, events }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (response.status !== 204) throw new Error(`a report was answered with ${response.status}`);
  }

  private pause(milliseconds: number): Promise<void> {
    return this.stopped ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
}

function readMap(html: string): PageMap {
  const text = /id="release-map">([\s\S]*?)<\/script>/.exec(html)?.[1];
  if (!text) throw new Error('the document has no release map');
  return JSON.parse(text) as PageMap;
}
