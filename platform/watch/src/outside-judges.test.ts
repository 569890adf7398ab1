import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CanaryPlan,
  canaryEntry,
  changeSettings,
  liveVersion,
  mapSource,
  type OutsideJudge,
  openStore,
  promote,
  type Store,
} from '@platform/releases';
import { publishSample, scratch } from '@platform/releases/testing';
import { HealthCounts } from './health-counts';
import { toContext } from './health-event';
import type { HealthStore } from './health-store';
import { readHealth } from './health-view';
import { OutsideJudges } from './outside-judges';
import { memoryHealthStore } from './testing/memory-health-store';
import { Watcher } from './watcher';

const SECRET = 'a secret';
const servers: Server[] = [];
let store: Store;
let clock: number;
let health: HealthStore;
let counts: HealthCounts;
let watcher: Watcher;
let one: string;
let two: string;
let visits = 0;
function newVisit(): string {
  visits += 1;
  return visits.toString(16).padStart(16, '0');
}

afterEach(() => {
  watcher?.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Answer = (body: string, request: IncomingMessage, response: ServerResponse) => void;
const says =
  (answer: unknown, status = 200): Answer =>
  (_body, _request, response) => {
    response.statusCode = status;
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  };

/** A judge with an address, and what it was asked. */
async function judge(answer: Answer, given: Partial<OutsideJudge> = {}) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    asked.push(body);
    answer(body, request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/judge`;
  const judge: OutsideJudge = { name: 'load-test', url, before: ['raise', 'everybody'], seconds: 30, ...given };
  return { judge, asked, server };
}

/** A healthy canary of half of the visitors, which the next look would raise. */
async function start(judges: OutsideJudge[], steps: CanaryPlan['steps'] = [50, 100]): Promise<void> {
  store = openStore({ place: await scratch() });
  clock = Date.parse('2026-01-01T08:00:30Z');
  health = memoryHealthStore(() => clock);
  counts = new HealthCounts(SECRET, () => clock);
  const webhooks = { urls: [], secret: SECRET };
  watcher = new Watcher({ store, source: mapSource(store, 'production'), health, webhooks, now: () => clock });
  if (judges.length > 0) await changeSettings(store, { by: 'ann', why: 'a load test', judges });
  one = await publishSample(store, { text: 'one' });
  await promote(store, { by: 'ann', name: 'catalog', version: one });
  two = await publishSample(store, { text: 'two' });
  await promote(store, { by: 'ann', name: 'catalog', version: two, canary: steps });
  await watcher.look();
  clock += 11 * 60_000;
  await visit('visit');
}

async function visit(kindOfCanary: 'visit' | 'render', networks = 60): Promise<void> {
  const { traffic } = canaryEntry(await store.readMap('production'), 'catalog')?.deployment ?? { traffic: 0 };
  for (let network = 0; network < networks; network += 1)
    for (const [version, kind, share] of [
      [one, 'visit', 100 - traffic],
      [two, kindOfCanary, traffic],
    ] as const) {
      const event = { name: 'catalog', version, visit: newVisit(), kind };
      counts.add(event, { network: `${kind} ${network}`, context: toContext({}), traffic: share });
    }
  await counts.flush(health);
}

/** Looks, and looks again once the judges that were asked have answered. */
async function lookUntilAnswered() {
  for (;;) {
    const done = await watcher.look();
    const isWaiting = done.length === 0;
    if (!isWaiting) return done;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
const live = async () => liveVersion(await store.readMap('production'), 'catalog');
const heldBy = async () => {
  const { watched } = await readHealth(health, await store.readMap('production'), [], { urls: [] });
  return watched.get('catalog')?.next?.heldBy;
};

it('an approval raises the canary, and the history names who gave it', async () => {
  const { judge: loadTest, asked } = await judge((body, request, response) => {
    const { 'x-release-timestamp': time, 'x-release-signature': signature } = request.headers;
    const own = createHmac('sha256', SECRET).update(`${time}\n/judge\n${body}`).digest('hex');
    response.end(JSON.stringify({ decision: signature === own ? 'approve' : 'hold' }));
  });
  await start([loadTest]);
  expect(await lookUntilAnswered()).toMatchObject([{ kind: 'canary-step', version: two }]);
  expect(await live()).toBe(two);
  expect((await store.readMap('production')).changed.why).toMatch(/; approved by load-test$/);
  expect(asked.map((body) => JSON.parse(body))).toEqual([
    {
      ...{ question: 'everybody', channel: 'production', name: 'catalog', version: two, against: one },
      ...{ from: 50, to: 100, seconds: 660 },
    },
  ]);
});

it.each<[string, Answer, string]>([
  ['says so', says({ decision: 'hold', reason: 'p99 is 900 ms\u001b[2J' }), 'p99 is 900 ms\\u001b[2J'],
  ['gives no reason', says({ decision: 'hold' }), 'gives no reason'],
  ['answers with another word', says({ decision: 'approved' }), 'has answered neither approve nor hold'],
  ['answers without an object', says('null'), 'cannot be asked: TypeError'],
  ['answers with text', says('<html>approve</html>'), 'has not answered with JSON'],
  [
    'answers without an end',
    says(`{"decision":"approve","reason":"${'x'.repeat(9_000)}"}`),
    'has not answered with JSON',
  ],
  ['is broken', says({ decision: 'approve' }, 500), 'has answered with HTTP 500'],
  ['approves with another status', says({ decision: 'approve' }, 202), 'has answered with HTTP 202'],
  [
    'leads elsewhere',
    (_body, _request, response) => response.writeHead(302, { location: '/other' }).end(),
    'has answered with HTTP 302',
  ],
  ['breaks the connection', (_body, request) => request.socket.destroy(), 'cannot be asked: UND_ERR_SOCKET'],
])('a judge that %s holds the canary', async (_what, answer, why) => {
  const { judge: loadTest } = await judge(answer);
  await start([loadTest]);
  const said = `the outside judge load-test: ${why}`;
  expect(await lookUntilAnswered()).toEqual([{ kind: 'canary-held', name: 'catalog', version: two, why: said }]);
  expect(await heldBy()).toBe(said);
  expect(await watcher.look()).toEqual([]);
  expect(await live()).toBe(one);
});

it('a judge that does not answer in time holds the canary', async () => {
  const { judge: slow } = await judge(() => {}, { seconds: 1 });
  await start([slow]);
  expect(await lookUntilAnswered()).toMatchObject([
    { kind: 'canary-held', why: 'the outside judge load-test: has not answered within 1 s' },
  ]);
});

it('a judge that cannot be reached holds the canary, and one that approves beside it does not help', async () => {
  const { judge: gone, server } = await judge(() => {}, { name: 'gone' });
  await Promise.all([once(server, 'close'), server.close()]);
  const { judge: yes } = await judge(says({ decision: 'approve' }));
  await start([gone, yes]);
  expect(await lookUntilAnswered()).toMatchObject([
    { kind: 'canary-held', why: 'the outside judge gone: cannot be asked: ECONNREFUSED' },
  ]);
  expect(await live()).toBe(one);
});

it('a bad release is taken back while a judge is being asked', async () => {
  const { judge: silent, asked } = await judge(() => {});
  await start([silent]);
  expect(await watcher.look()).toEqual([]);
  while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await visit('render', 300);
  expect(await watcher.look()).toMatchObject([{ kind: 'canary-back', version: two }]);
});

it('a judge that holds is asked again after half a minute, and may change its mind', async () => {
  let decision = 'hold';
  const { judge: loadTest, asked } = await judge((_body, _request, response) =>
    response.end(JSON.stringify({ decision, reason: 'the test runs' })),
  );
  await start([loadTest]);
  await lookUntilAnswered();
  decision = 'approve';
  clock += 29_000;
  expect(await watcher.look()).toEqual([]);
  expect(asked).toHaveLength(1);
  clock += 2_000;
  expect(await lookUntilAnswered()).toMatchObject([{ kind: 'canary-step' }]);
  expect(asked).toHaveLength(2);
});

it('an approval is for one raise: the next share is asked for again', async () => {
  const { judge: loadTest, asked } = await judge(says({ decision: 'approve' }));
  await start([loadTest], [20, 50, 100]);
  expect(await lookUntilAnswered()).toMatchObject([{ kind: 'canary-step' }]);
  await watcher.look();
  clock += 11 * 60_000;
  await visit('visit');
  expect(await lookUntilAnswered()).toMatchObject([{ kind: 'canary-step' }]);
  expect(asked.map((body) => JSON.parse(body)).map(({ question, from, to }) => [question, from, to])).toEqual([
    ['raise', 20, 50],
    ['everybody', 50, 100],
  ]);
});

it('an approval that nothing has used for a minute is not good any more', async () => {
  let now = 0;
  let looks = 0;
  const decisions = ['approve', 'hold'];
  const { judge: loadTest } = await judge((_body, _request, response) =>
    response.end(JSON.stringify({ decision: decisions.shift() })),
  );
  const judges = new OutsideJudges({ secret: SECRET }, () => {
    looks += 1;
    return now;
  });
  const question = {
    ...{ channel: 'production', name: 'catalog', version: '1', against: null },
    ...{ from: 10, to: 100, seconds: 60 },
  };
  expect(judges.answersOf([loadTest], question)).toBeNull();
  const asking = looks;
  // It looks at the clock once more when it has the answer.
  while (looks === asking) await new Promise((resolve) => setImmediate(resolve));
  now += 61_000;
  let answers = judges.answersOf([loadTest], question);
  while (answers === null) {
    await new Promise((resolve) => setImmediate(resolve));
    answers = judges.answersOf([loadTest], question);
  }
  expect(answers).toMatchObject([{ approves: false }]);
  judges.close();
});

it('only the judges of this release and of this step are asked', async () => {
  const { judge: before, asked: askedBefore } = await judge(says({ decision: 'hold' }), {
    name: 'raises',
    before: ['raise'],
  });
  const { judge: others, asked: askedOthers } = await judge(says({ decision: 'hold' }), {
    name: 'others',
    remotes: ['orders'],
  });
  await start([before, others]);
  expect(await watcher.look()).toMatchObject([{ kind: 'canary-step' }]);
  expect([askedBefore, askedOthers]).toEqual([[], []]);
});

it('without a secret nothing is asked, and the canary stays', async () => {
  const { judge: loadTest, asked } = await judge(says({ decision: 'approve' }));
  await start([loadTest]);
  const options = { store, source: mapSource(store, 'production'), health, now: () => clock };
  watcher = new Watcher({ ...options, webhooks: { urls: [], secret: '' } });
  expect(await lookUntilAnswered()).toMatchObject([
    { kind: 'canary-held', why: 'the outside judge load-test: this server has no secret to sign a question with' },
  ]);
  expect(asked).toEqual([]);
});
