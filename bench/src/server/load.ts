import autocannon from 'autocannon';
import { buyer, type OrderRequest } from './calls';
import type { RunningSubject } from './subjects';

export interface Rate {
  perSecond: number;
  /** Latency of the requests, ms. */
  p50: number;
  p99: number;
  errors: number;
  /** Of those, answers of the business that were no success, by code. */
  refused?: Record<string, number>;
  /** Processor time of the server's process for one, µs: what a busy machine distorts least. */
  cpuMicros: number;
}

export interface Target {
  subject: RunningSubject;
  path: string;
  headers?: Record<string, string>;
}

/** As many requests as the connections carry, each after the answer to its last. */
export async function closedLoop(target: Target, connections: number, seconds: number): Promise<Rate> {
  const options = { url: target.subject.url + target.path, headers: target.headers, connections };
  await autocannon({ ...options, duration: Math.min(2, seconds) });
  return rateOf(target.subject, () => autocannon({ ...options, duration: seconds }));
}

export interface OrderTarget {
  subject: RunningSubject;
  /** Price versions by spec: what a preview would have said. */
  specs: OrderRequest[];
  /**
   * The next user to buy. Every connection of every run has another: a run that ends between the two calls leaves an unpaid
   * order, and a user may have five.
   */
  nextPerson: number;
}

/** Every connection is a person who places an order and pays it from the wallet, again and again. The rate is of whole orders. */
export async function orderLoop(target: OrderTarget, connections: number, seconds: number): Promise<Rate> {
  let refused: Record<string, number> = {};
  const refuse = (code: number) => {
    refused[code] = (refused[code] ?? 0) + 1;
  };
  const run = (duration: number) => {
    return autocannon({
      url: target.subject.url,
      connections,
      duration,
      setupClient: (client) => {
        const headers = { 'content-type': 'application/json', ...buyer(target.nextPerson++) };
        const key = () => `${headers.authorization.slice(-8)}-${Math.random().toString(36).slice(2)}${Date.now()}`;
        client.setRequests([
          {
            method: 'POST',
            path: '/api/front/order/create',
            setupRequest: (request) => {
              const spec = target.specs[Math.floor(Math.random() * target.specs.length)];
              return {
                ...request,
                headers: { ...headers, 'idempotency-key': key() },
                body: JSON.stringify(spec),
              };
            },
            onResponse: (_status, body, context) => {
              const { code, data } = JSON.parse(body) as { code: number; data: { order_no: string } };
              if (code !== 200) refuse(code);
              else (context as { order?: string }).order = data.order_no;
            },
          },
          {
            method: 'POST',
            path: '/api/front/payment/balance',
            setupRequest: (request, context) => ({
              ...request,
              headers: { ...headers, 'idempotency-key': key() },
              body: JSON.stringify({ order_no: (context as { order?: string }).order ?? 'NONE00000000' }),
            }),
            onResponse: (_status, body) => {
              const { code } = JSON.parse(body) as { code: number };
              if (code !== 200) refuse(code);
            },
          },
        ]);
      },
    });
  };
  await run(Math.min(2, seconds));
  refused = {};
  const rate = await rateOf(target.subject, () => run(seconds));
  const { perSecond, cpuMicros, errors } = rate;
  const count = Object.values(refused).reduce((sum, one) => sum + one, 0);
  return { ...rate, refused, perSecond: perSecond / 2, cpuMicros: cpuMicros * 2, errors: errors + count };
}

async function rateOf(subject: RunningSubject, run: () => PromiseLike<autocannon.Result>): Promise<Rate> {
  const before = await subject.usage();
  const result = await run();
  const after = await subject.usage();
  const answers = result['2xx'] + result['3xx'];
  return {
    perSecond: answers / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: result.errors + result['4xx'] + result['5xx'] + result.timeouts,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / answers,
  };
}
