import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { call } from '../../../e2e/src/steps';
import { SPECS, tokenOf } from './shops';
import type { RunningSubject } from './subjects';

export const buyer = (user: number) => ({ currency: 'CNY', authorization: `Bearer ${tokenOf(user)}` });

export const post = (url: string, path: string, body: object) =>
  call<Record<string, string>>({ url }, `/api/front/${path}`, buyer(1).authorization, body);

/** Previews the first `count` specifications one by one, because the server refuses more at a time. */
export async function previewsOf(url: string, count: number): Promise<object[]> {
  const orders: object[] = [];
  for (let spec = 1; spec <= count; spec += 1) {
    const order = { goods_id: Math.floor((spec - 1) / SPECS) + 1, spec_id: spec, quantity: 1 };
    const { price_version } = await post(url, 'order/preview', order);
    orders.push({ ...order, price_version });
  }
  return orders;
}

export interface Rate {
  perSecond: number;
  /** 99th percentile of the latency, ms. */
  p99: number;
  errors: number;
  /** CPU time of the server's process per request, µs. A busy machine distorts it least. */
  cpuMicros: number;
}

interface Target {
  url: string;
  headers?: Record<string, string>;
  subject?: RunningSubject;
}

/** Each connection sends its next request when the previous response has arrived. */
export async function closedLoop({ subject, ...target }: Target, connections: number, seconds: number): Promise<Rate> {
  await autocannon({ ...target, connections, duration: Math.min(2, seconds) });
  return rateOf(() => autocannon({ ...target, connections, duration: seconds }), subject);
}

interface OrderTarget {
  subject: RunningSubject;
  specs: object[];
  /**
   * The next user to buy. Every connection of every run takes a new user: a run that ends between the two calls leaves an unpaid
   * order, and a user may have only five.
   */
  nextUser: number;
}

/**
 * Every connection is a user who repeatedly places an order and pays it from the wallet. The rate counts whole orders; refusals
 * count as errors.
 */
export async function orderLoop(target: OrderTarget, connections: number, seconds: number): Promise<Rate> {
  let refused = 0;
  const answerOf = (body: string): { data?: { order_no?: string } } => {
    const answer = JSON.parse(body) as { code: number; data: { order_no?: string } };
    if (answer.code !== 200) refused += 1;
    return answer;
  };
  const run = (duration: number) =>
    autocannon({
      url: target.subject.url,
      connections,
      duration,
      setupClient: (client) => {
        const user = buyer(target.nextUser++);
        const headers = () => ({ ...user, 'content-type': 'application/json', 'idempotency-key': randomUUID() });
        let order = '';
        client.setRequests([
          {
            method: 'POST',
            path: '/api/front/order/create',
            setupRequest: (request) => {
              const spec = target.specs[Math.floor(Math.random() * target.specs.length)];
              return { ...request, headers: headers(), body: JSON.stringify(spec) };
            },
            onResponse: (_status, body) => {
              order = answerOf(body).data?.order_no ?? 'NONE00000000';
            },
          },
          {
            method: 'POST',
            path: '/api/front/payment/balance',
            setupRequest: (request) => ({ ...request, headers: headers(), body: JSON.stringify({ order_no: order }) }),
            onResponse: (_status, body) => void answerOf(body),
          },
        ]);
      },
    });
  await run(Math.min(2, seconds));
  refused = 0;
  const rate = await rateOf(() => run(seconds), target.subject);
  const { perSecond, cpuMicros, errors } = rate;
  return { ...rate, perSecond: perSecond / 2, cpuMicros: cpuMicros * 2, errors: errors + refused };
}

async function rateOf(run: () => PromiseLike<autocannon.Result>, subject?: RunningSubject): Promise<Rate> {
  const before = await subject?.usage();
  const result = await run();
  const after = await subject?.usage();
  const answers = result['2xx'] + result['3xx'];
  return {
    perSecond: answers / result.duration,
    p99: result.latency.p99,
    errors: result.errors + result['4xx'] + result['5xx'] + result.timeouts,
    cpuMicros: ((after?.cpuMicros ?? 0) - (before?.cpuMicros ?? 0)) / answers,
  };
}
