import { openStore } from '@platform/releases';
import { publishBuilds } from '../../../scripts/publish-builds';
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
  /** The same document again and again, to the bare hello with as many connections. */
  fromMemory: { rate: Rate; connections: number; toHello: number };
}

const CONNECTIONS = 8;
const FEW = 200;
const MANY = 10_000;
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
    const bare = await startSubject({ kind: 'hello' });
    const hello = await closedLoop({ subject: bare, path: '/' }, CONNECTIONS, seconds);
    await bare.stop();
    const rate = await closedLoop({ subject: shop, path: '/goods', headers: document }, CONNECTIONS, seconds);
    log(`from memory: ${rate.perSecond.toFixed(0)} a second, hello ${hello.perSecond.toFixed(0)}`);
    return {
      uncached: { p50: quantile(times, 0.5), p99: quantile(times, 0.99), documents: times.length },
      renderer,
      fromMemory: { rate, connections: CONNECTIONS, toHello: rate.perSecond / hello.perSecond },
    };
  } finally {
    await shop.stop();
  }
}

async function read(shop: RunningSubject, address: string): Promise<string> {
  const response = await fetch(shop.url + address, { headers: document });
  return response.text();
}

const isRendered = (html: string) => html.includes('id="page-data"');

async function untilRendered(shop: RunningSubject, address: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (isRendered(await read(shop, address))) return;
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
