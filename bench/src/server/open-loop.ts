import http from 'node:http';

export interface OpenRequest {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface OpenLoopResult {
  perSecond: number;
  /** ms from the moment at which a request was due, so that a server that stalls is not asked less. */
  p50: number;
  p99: number;
  p999: number;
  most: number;
  errors: number;
}

export interface OpenLoopOptions {
  url: string;
  perSecond: number;
  seconds: number;
  /** The request that is due now. */
  next(): OpenRequest;
  /** ms from the moment at which the request was due. */
  onAnswer?(name: string, ms: number, status: number | undefined): void;
}

/** Sends requests at a fixed pace, whether or not earlier ones were answered, over as many connections as that takes. */
export async function openLoop({ url, perSecond, seconds, next, onAnswer }: OpenLoopOptions): Promise<OpenLoopResult> {
  const { hostname, port } = new URL(url);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 512 });
  const times: number[] = [];
  let errors = 0;
  const waiting = new Set<Promise<void>>();
  const send = (due: number) => {
    const { name, method, path, headers, body } = next();
    const done = new Promise<void>((resolve) => {
      const request = http.request({ agent, hostname, port, method, path, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => {
          const ms = performance.now() - due;
          times.push(ms);
          onAnswer?.(name, ms, response.statusCode);
          if (response.statusCode !== 200 || (!text.startsWith('{"code":200') && !/^\{"code" : 200/.test(text)))
            errors += 1;
          resolve();
        });
      });
      request.on('error', () => {
        errors += 1;
        resolve();
      });
      request.end(body);
    }).finally(() => waiting.delete(done));
    waiting.add(done);
  };
  const startedAt = performance.now();
  const total = perSecond * seconds;
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * perSecond));
    for (; sent < due; sent++) send(startedAt + (sent / perSecond) * 1000);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(waiting);
  const took = (performance.now() - startedAt) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: times.length / took, p50: at(0.5), p99: at(0.99), p999: at(0.999), most: at(1), errors };
}
