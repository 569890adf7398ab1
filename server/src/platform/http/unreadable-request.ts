import type { Socket } from 'node:net';
import { ErrorCode } from '@shop/shared/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorEnvelope } from './envelope';
import { headersWithoutHooks } from './security-headers.plugin';

const contentType = 'application/json; charset=utf-8';
const body = (requestId: string) =>
  JSON.stringify(errorEnvelope({ locale: 'zh-CN', id: requestId }, ErrorCode.InvalidInput, { errors: {} }));

/** A URL that the router cannot parse; no hook runs. */
export function answerMalformedUrl(_error: Error, request: FastifyRequest, reply: unknown): void {
  void (reply as FastifyReply).code(400).headers(headersWithoutHooks).type(contentType).send(body(request.id));
}

const statusLines: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Bytes that are not HTTP, a head that is too large or a request that arrives too slowly: there is only a socket to answer on. */
export function answerUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const payload = body('');
  const headers = Object.entries({
    ...headersWithoutHooks,
    'content-type': contentType,
    'content-length': Buffer.byteLength(payload),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  const status = statusLines[error.code ?? ''] ?? '400 Bad Request';
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${payload}`);
  socket.destroySoon();
}
