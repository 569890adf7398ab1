import { type Shop, startShop } from '../../../e2e/src/shop';
import { until } from '../../../scripts/jest/until';
import { quantile, timeOf } from '../measure/statistics';
import { type SignedIn, signIn } from '../rig/shop';
import { closedLoop } from './load';
import type { Rig } from './shops';
import { startSubject } from './subjects';

const CONNECTIONS = 8;
const ADDRESSES = 10_000;
const SESSIONS = 50;
const document = { accept: 'text/html', 'accept-encoding': 'br', cookie: 'language=en' };

export async function measureRender(_rig: Rig, seconds: number): Promise<string> {
  const shop = await startShop({ env: { LOG: 'off' } });
  let next = 0;
  const timed = async (count: number) => {
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      next += 1;
      times.push(await timeOf(read(shop, next % 2 ? `/goods?keyword=word${next}` : `/goods/1?quantity=${next}`)));
    }
    return times;
  };
  try {
    await untilRendered(shop, '/goods');
    await timed(200);
    const times = await timed(ADDRESSES);
    const renderer = await rendererOf(shop);
    const personal = await personalTimes(shop);
    const bare = await startSubject();
    const hello = await closedLoop({ url: bare.url }, CONNECTIONS, seconds);
    await bare.stop();
    const rate = await closedLoop({ url: `${shop.url}/goods`, headers: document }, CONNECTIONS, seconds);
    const share = rate.perSecond / hello.perSecond;
    return `**Rendered documents** on PGlite, from the request to the last byte, one after the other. Rendering takes
${renderer.meanMs.toFixed(1)} ms of it on average; ${renderer.failed} of ${times.length} pages were not rendered.

| document | p50 ms | p99 ms | goals |
| --- | --- | --- | --- |
| public, ${times.length} different addresses | ${spread(times)} | 15, 60 |
${personal}

From memory: ${Math.round(rate.perSecond).toLocaleString('en')} documents a second with ${CONNECTIONS} connections (p99 ${rate.p99.toFixed(0)} ms), **${share.toFixed(2)}** of hello (goal 0.4).`;
  } finally {
    await shop.stop();
  }
}

async function personalTimes(shop: Shop): Promise<string> {
  const first: number[] = [];
  const warm: number[] = [];
  let notRendered = 0;
  const cookieOf = ({ cookie: { name, value } }: SignedIn) => `${document.cookie}; ${name}=${value}`;
  const cookie = cookieOf(await signIn(shop));
  await untilRendered(shop, '/user', cookie);
  await untilRendered(shop, '/order', cookie);
  for (let session = 0; session < SESSIONS; session += 1) {
    const current = await signIn(shop);
    const timed = (address: string) =>
      timeOf(
        read(shop, address, cookieOf(current)).then((html) => {
          if (!html.includes(' data-user="')) notRendered += 1;
        }),
      );
    first.push(await timed('/user'), await timed('/order'));
    for (const address of ['/user', '/user/wallet', '/order', `/order/detail/${current.order}`])
      warm.push(await timed(address), await timed(address));
  }
  const rendered = `${warm.length} in ${SESSIONS} sessions with an isolate, ${notRendered} not rendered`;
  return `| of a user, ${rendered} | ${spread(warm)} | 40, 120 |
| of a user, the first of each remote in a session | ${spread(first)} | |`;
}

const spread = (times: readonly number[]): string =>
  [0.5, 0.99].map((share) => quantile(times, share).toFixed(1)).join(' | ');

async function read(shop: Shop, address: string, cookie = document.cookie): Promise<string> {
  const response = await fetch(shop.url + address, { headers: { ...document, cookie } });
  return response.text();
}

const untilRendered = (shop: Shop, address: string, cookie?: string) =>
  until(`${address} to be rendered`, async () => (await read(shop, address, cookie)).includes('id="page-data"'));

async function rendererOf(shop: Shop) {
  const lines = (await (await fetch(`${shop.url}/metrics`)).text()).split('\n');
  const sumOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}{`)).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  const pages = sumOf('shop_rendered_pages_total');
  return { meanMs: (1000 * sumOf('shop_rendered_seconds_total')) / pages, failed: sumOf('shop_render_failures_total') };
}
