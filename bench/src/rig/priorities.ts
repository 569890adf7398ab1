/**
 * Orders the responses of one connection by the urgency in the browser's `priority` header (RFC 9218), as CDNs do. Responses of
 * equal urgency keep their order. Node's HTTP/2 server ignores that header.
 */
import type http2 from 'node:http2';

/** Small enough that an urgent response waits only briefly for a chunk in flight: 8 kB are 40 ms on the slow line. */
const pieceBytes = 8 * 1024;
/** RFC 9218: the urgency of requests without a priority. */
const usualUrgency = 3;

interface Waiting {
  stream: http2.ServerHttp2Stream;
  urgency: number;
  body: Buffer;
}

const queues = new WeakMap<http2.Http2Session, { waiting: Waiting[]; busy: boolean }>();

function urgencyOf(priority: string | string[] | undefined): number {
  const match = /(?:^|[,\s])u=([0-7])(?:$|[,;\s])/.exec(String(priority ?? ''));
  return match ? Number(match[1]) : usualUrgency;
}

export function sendByUrgency(
  stream: http2.ServerHttp2Stream,
  priority: string | string[] | undefined,
  body: Buffer,
): void {
  const { session } = stream;
  if (!session) return;
  const queue = queues.get(session) ?? { waiting: [], busy: false };
  queues.set(session, queue);
  const urgency = urgencyOf(priority);
  const behind = queue.waiting.findIndex((waiting) => waiting.urgency > urgency);
  queue.waiting.splice(behind < 0 ? queue.waiting.length : behind, 0, { stream, urgency, body });
  if (!queue.busy) void sendAll(queue);
}

async function sendAll(queue: { waiting: Waiting[]; busy: boolean }): Promise<void> {
  queue.busy = true;
  for (let first = queue.waiting[0]; first; first = queue.waiting[0]) {
    const piece = first.body.subarray(0, pieceBytes);
    first.body = first.body.subarray(piece.length);
    const isLast = first.body.length === 0;
    if (isLast || first.stream.destroyed) queue.waiting.splice(queue.waiting.indexOf(first), 1);
    if (!first.stream.destroyed) await written(first.stream, piece, isLast);
  }
  queue.busy = false;
}

/** Resolves when the connection has accepted the chunk, or when the browser has cancelled the response. */
function written(stream: http2.ServerHttp2Stream, piece: Buffer, isLast: boolean): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', resolve);
    const done = () => {
      stream.off('close', resolve);
      resolve();
    };
    if (isLast) stream.end(piece, done);
    else stream.write(piece, done);
  });
}
