import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag } from '../http/etag';

export type Encoding = 'br' | 'gzip' | 'identity';

export interface PreparedResponse {
  etag: string;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  compressed: Partial<Record<Exclude<Encoding, 'identity'>, Promise<Buffer>>>;
}

/** From 0 to 11. A page of 100 kB takes 1.4 ms and 15.9 kB with it; with 9 it takes 51 ms and 15.8 kB. */
const BROTLI_QUALITY = 6;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export function prepareResponse(text: string, status: number, headers: Record<string, string>): PreparedResponse {
  const body = Buffer.from(text);
  // The ETag covers the policy too, because a 304 does not renew the policy of a cached document.
  const policy = headers['content-security-policy'] ?? '';
  const etag = createHash('sha256').update(policy).update(body).digest('base64url').slice(0, 22);
  return { etag, status, headers, body, compressed: {} };
}

export async function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  response: PreparedResponse,
): Promise<FastifyReply> {
  const encoding = acceptedEncoding(request);
  reply.headers(response.headers).header('etag', `"${response.etag}-${encoding}"`);
  if (response.status === 200 && matchesEtag(request.headers['if-none-match'], response.etag))
    return reply.code(304).send();
  const body = await bodyIn(encoding, response);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.code(response.status).send(body);
}

function bodyIn(encoding: Encoding, { body, compressed }: PreparedResponse): Promise<Buffer> | Buffer {
  if (encoding === 'identity') return body;
  compressed[encoding] ??= encoding === 'gzip' ? zip(body) : compressByBrotli(body);
  return compressed[encoding];
}

const compressByBrotli = (body: Buffer) =>
  brotli(body, {
    params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT },
  });

export function acceptedEncoding({ headers }: FastifyRequest): Encoding {
  const accepted = String(headers['accept-encoding'] ?? '')
    .split(',')
    .map((part) => part.trim().split(';'))
    .filter(([, weight]) => !/^\s*q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name]) => name?.trim());
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : 'identity';
}
