import { openStore } from '@platform/releases';
import { publishBuilds } from '../../../scripts/publish-builds';
import { type SignedIn, signIn } from '../measure/sign-in';
import { quantile } from '../measure/statistics';
import { closedLoop, type Rate } from './load';
import type { Rig } from './shops';
import { type RunningSubject, startSubject } from './subjects';

/** Time from the request to the whole document, ms. */
interface Times {
  p50: number;
  p99: number;
}

export interface RenderResults {
  /** Each document is rendered; one after the other. */
  uncached: Times & { documents: number };
  /** Of those, the rendering alone: mean ms, and pages that were not rendered. */
  renderer: { meanMs: number; failed: number };
  /** A person's, behind the guard: in a session that has its isolates, and the first one of a session. Earlier results have none. */
  personal?: { warm: Times; first: Times; documents: number; sessions: number; notRendered: number };
  /** The same document again and again, to the bare hello with as many connections. */
  fromMemory: { rate: Rate; connections: number; toHello: number };
}

const CONNECTIONS = 8;
const FEW = 200;
const MANY = 10_000;
const FEW_SESSIONS = 3;
const SESSIONS = 50;
const document = { accept: 'text/html', 'accept-encoding': 'br', cookie: 'language=en' };

export async function measureRender(rig: Rig, seconds: number, log: (line: string) => void): Promise<RenderResults> {
  const place = rig.newFolder();
  const store = openStore({ place });
  await publishBuilds(store, log);
  const shop = await startSubject({ kind: 'shop', dataDir: rig.newFolder(), seed: true, releases: place });
  let next = 0;
  const newDocument = () => {
    next += 1;
    return read(shop, next % 2 ? `/goods?keyword=word${next}` : `/goods/1?quantity=${next}`);
  };
  const timed = async (count: number) => {
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const started = performance.now();
      await newDocument();
      times.push(performance.now() - started);
    }
    return times;
  };
  try {
    await untilRendered(shop, '/goods');
    await timed(FEW);
    const times = await timed(seconds < 3 ? FEW : MANY);
    const renderer = await rendererOf(shop);
    const personal = await personalTimes(shop, seconds < 3 ? FEW_SESSIONS : SESSIONS);
    log(`personal, p50: ${personal.warm.p50.toFixed(1)} ms, first of a session ${personal.first.p50.toFixed(1)} ms`);
    const bare = await startSubject({ kind: 'hello' });
    const hello = await closedLoop({ subject: bare, path: '/' }, CONNECTIONS, seconds);
    await bare.stop();
    const rate = await closedLoop({ subject: shop, path: '/goods', headers: document }, CONNECTIONS, seconds);
    log(`from memory: ${rate.perSecond.toFixed(0)} a second, hello ${hello.perSecond.toFixed(0)}`);
    return {
      uncached: { ...timesOf(times), documents: times.length },
      renderer,
      personal,
      fromMemory: { rate, connections: CONNECTIONS, toHello: rate.perSecond / hello.perSecond },
    };
  } finally {
    await shop.stop();
  }
}

/** Each session opens a page, which loads its isolates, and then the pages that a person opens most. */
async function personalTimes(shop: RunningSubject, sessions: number): Promise<NonNullable<RenderResults['personal']>> {
  const first: number[] = [];
  const warm: number[] = [];
  let notRendered = 0;
  const person = await signIn(shop);
  const cookieOf = ({ cookie: { name, value } }: SignedIn) => `${document.cookie}; ${name}=${value}`;
  await untilRendered(shop, '/user', cookieOf(person));
  await untilRendered(shop, '/order', cookieOf(person));
  for (let session = 0; session < sessions; session += 1) {
    const one = await signIn(shop);
    const timed = async (address: string) => {
      const started = performance.now();
      const html = await read(shop, address, cookieOf(one));
      if (!html.includes(' data-person="')) notRendered += 1;
      return performance.now() - started;
    };
    // The first one of each remote in this session.
    first.push(await timed('/user'), await timed('/order'));
    for (const address of ['/user', '/user/wallet', '/order', `/order/detail/${one.order}`])
      warm.push(await timed(address), await timed(address));
  }
  return { warm: timesOf(warm), first: timesOf(first), documents: warm.length, sessions, notRendered };
}

const timesOf = (times: readonly number[]): Times => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99) });

async function read(shop: RunningSubject, address: string, cookie = document.cookie): Promise<string> {
  const response = await fetch(shop.url + address, { headers: { ...document, cookie } });
  return response.text();
}

const isRendered = (html: string) => html.includes('id="page-data"');

async function untilRendered(shop: RunningSubject, address: string, cookie?: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (isRendered(await read(shop, address, cookie))) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${address} is not rendered`);
}

async function rendererOf(shop: RunningSubject) {
  const lines = (await (await fetch(`${shop.url}/metrics`)).text()).split('\n');
  const sumOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}{`)).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  const pages = sumOf('shop_rendered_pages_total');
  return { meanMs: (1000 * sumOf('shop_rendered_seconds_total')) / pages, failed: sumOf('shop_render_failures_total') };
}
