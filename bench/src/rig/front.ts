/**
 * HTTPS and HTTP/2 in front of the shop, behind a slow line: the same front for every variant. Files of a variant are served from
 * memory, already compressed; all other requests go to the shop's server.
 */
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliCompress, constants as zlib } from 'node:zlib';
import { contentTypeOf } from '@platform/releases';
import { generate } from 'selfsigned';
import { sendByUrgency } from './priorities';
import { Bottleneck, line, ShapedSocket } from './shaped-socket';

const brotli = promisify(brotliCompress);
const agent = new http.Agent({ keepAlive: true });

export interface StaticFile {
  body: Buffer;
  type: string;
  isCompressed: boolean;
}

/** The keys are addresses. Every page has the document /bench/spa/index.html. */
export type StaticBuild = ReadonlyMap<string, StaticFile>;

const compressible = /text|javascript|json|svg|xml/;

export async function staticFile(name: string, body: Buffer): Promise<StaticFile> {
  const type = contentTypeOf(name);
  const isCompressed = compressible.test(type);
  return { body: isCompressed ? await compress(body, 11) : body, type, isCompressed };
}

function compress(body: Buffer, quality: number): Promise<Buffer> {
  return brotli(body, {
    params: { [zlib.BROTLI_PARAM_QUALITY]: quality, [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT },
  });
}

/** HTTP/1 connection headers, which HTTP/2 forbids. */
const hopHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection', 'http2-settings'];
/** Smaller responses fit into one packet without compression. */
const worthCompressing = 512;

/**
 * Starts a front for the shop at `upstream`, which ends with the process, and resolves to its address. Files of `build` take
 * precedence over the shop's.
 */
export async function startFront(upstream: string, build?: StaticBuild, { isSlow = true } = {}): Promise<string> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    algorithm: 'sha256',
    keySize: 2048,
  });
  const front = http2.createSecureServer({ key, cert });
  front.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    const path = String(headers[':path']);
    const file = build?.get(path.split('?')[0] ?? '/');
    const wantsPage = String(headers.accept ?? '').includes('text/html') && headers[':method'] === 'GET';
    const document = wantsPage && build?.get('/bench/spa/index.html');
    if (file) sendFile(stream, headers, file, 'public, max-age=31536000, immutable');
    else if (document) sendFile(stream, headers, document, 'no-cache');
    else ask(stream, headers, path, upstream).catch(() => stream.destroy());
  });
  front.on('sessionError', () => {});

  const lines = { down: new Bottleneck(line.downBitsPerSecond), up: new Bottleneck(line.upBitsPerSecond) };
  const shaper = net.createServer((client) => {
    const socket = isSlow ? new ShapedSocket(client, lines) : client;
    socket.on('error', () => {});
    front.emit('connection', socket);
  });
  await once(shaper.listen(0, '127.0.0.1'), 'listening');
  return `https://localhost:${(shaper.address() as AddressInfo).port}`;
}

function sendFile(
  stream: http2.ServerHttp2Stream,
  headers: http2.IncomingHttpHeaders,
  { body, type, isCompressed }: StaticFile,
  cacheControl: string,
): void {
  stream.respond({
    ':status': 200,
    'content-type': type,
    'content-length': body.length,
    'cache-control': cacheControl,
    vary: 'accept-encoding',
    'access-control-allow-origin': '*',
    ...(isCompressed && { 'content-encoding': 'br' }),
  });
  sendByUrgency(stream, headers.priority, body);
}

async function ask(
  stream: http2.ServerHttp2Stream,
  headers: http2.IncomingHttpHeaders,
  path: string,
  upstream: string,
): Promise<void> {
  const { host, port } = new URL(upstream);
  const passed: http.OutgoingHttpHeaders = { host: String(headers[':authority'] ?? host) };
  for (const [name, value] of Object.entries(headers)) if (!name.startsWith(':')) passed[name] = value;
  const method = String(headers[':method']);
  const request = http.request({ agent, host: 'localhost', port, path, method, headers: passed });
  stream.pipe(request);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let body: Buffer = await buffer(response);
  const answered: http2.OutgoingHttpHeaders = { ':status': response.statusCode };
  for (const [name, value] of Object.entries(response.headers)) if (!hopHeaders.includes(name)) answered[name] = value;
  const isCompressible = compressible.test(String(answered['content-type'])) && body.length > worthCompressing;
  if (!answered['content-encoding'] && isCompressible) {
    body = await compress(body, 5);
    answered['content-encoding'] = 'br';
  }
  if (stream.destroyed) return;
  if (answered['content-length'] !== undefined || body.length > 0) answered['content-length'] = body.length;
  stream.respond(answered);
  sendByUrgency(stream, headers.priority, body);
}
