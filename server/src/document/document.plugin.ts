/**
 * The shop's front door: release maps, the files of releases, and the HTML document for every other address. It needs the store
 * only, so it works while the API or the database is down.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { composeDocument, ICON_SVG, OFFLINE_HTML, OFFLINE_POLICY, serviceWorker, WEB_MANIFEST } from '@shop/document';
import {
  isReleaseFile,
  isReleaseName,
  isReleaseVersion,
  type MapSource,
  mapSource,
  previewInMap,
  type ReleaseMap,
  type Store,
  toPublicMap,
} from '@shop/release';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { contentTypeOf } from './content-type';
import { immutableFiles } from './immutable-files';

export interface DocumentOptions {
  store: Store;
  /** The channel whose map the page shows. */
  channel?: string;
  /** Remote to the origin of its development server. */
  devOrigins?: Record<string, string>;
}

type Encoding = 'br' | 'gzip' | 'identity';

interface Prepared {
  etag: string;
  status: number;
  headers: Record<string, string>;
  bodies: Record<Encoding, Buffer>;
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const KEPT_PAGES = 300;
const CHANNELS = ['production', 'preview'];
const PAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
};

function encodingOf({ headers }: FastifyRequest): Encoding {
  const accepted = String(headers['accept-encoding'] ?? '')
    .split(',')
    .map((part) => part.trim().split(';'))
    .filter(([, weight]) => !/^\s*q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name]) => name?.trim());
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : 'identity';
}

async function prepare(text: string, status: number, headers: Record<string, string>): Promise<Prepared> {
  const identity = Buffer.from(text);
  const [br, gz] = await Promise.all([
    brotli(identity, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT } }),
    zip(identity, { level: 9 }),
  ]);
  const etag = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return { etag, status, headers, bodies: { identity, br, gzip: gz } };
}

/** RFC 9110, weak comparison: a tag with any encoding's suffix names the same content. */
function isKnown(request: FastifyRequest, etag: string): boolean {
  const given = request.headers['if-none-match'];
  if (!given) return false;
  return (
    given === '*' ||
    given.split(',').some((tag) => tag.trim().replace(/^W\//, '').replace(/^"|"$/g, '').startsWith(etag))
  );
}

function send(request: FastifyRequest, reply: FastifyReply, page: Prepared): FastifyReply {
  const encoding = encodingOf(request);
  reply.headers(page.headers).header('etag', `"${page.etag}-${encoding}"`);
  if (page.status === 200 && isKnown(request, page.etag)) return reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.code(page.status).send(page.bodies[encoding]);
}

/** A browser that opens an address, or a tool that takes anything and asks for no file. */
function wantsPage(request: FastifyRequest, pathname: string): boolean {
  if (pathname.startsWith('/api/') || pathname.startsWith('/r/') || pathname.startsWith('/releases/')) return false;
  const accept = request.headers.accept ?? '*/*';
  return accept.includes('text/html') || (accept.includes('*/*') && !/\.[A-Za-z0-9]{1,5}$/.test(pathname));
}

function visitorOf({ headers }: FastifyRequest): number | null {
  const value = /(?:^|;\s*)visitor=([0-9.]{1,20})(?:;|$)/.exec(headers.cookie ?? '')?.[1];
  const visitor = Number(value ?? Number.NaN);
  return visitor >= 0 && visitor < 100 ? visitor : null;
}

const hasCanary = (map: ReleaseMap) => Object.values(map.microFrontends).some((entries) => entries.length > 1);

export function documentPlugin({ store, channel = 'production', devOrigins }: DocumentOptions): FastifyPluginAsync {
  return async (app) => {
    const sources = new Map<string, MapSource>(
      [...new Set([channel, ...CHANNELS])].map((name) => [name, mapSource(store, name)]),
    );
    const kept = new Map<string, Promise<Prepared>>();
    const files = immutableFiles(store);

    /** Composed and compressed once per page and revision. */
    function keep(key: string, make: () => Promise<Prepared>): Promise<Prepared> {
      const known = kept.get(key);
      if (known) return known;
      const made = make();
      made.catch(() => kept.delete(key));
      kept.set(key, made);
      const oldest = kept.keys().next().value;
      if (kept.size > KEPT_PAGES && oldest !== undefined) kept.delete(oldest);
      return made;
    }

    app.get<{ Params: { file: string } }>('/releases/:file', async (request, reply) => {
      const source = sources.get(/^([a-z0-9-]+)\.json$/.exec(request.params.file)?.[1] ?? '');
      if (!source) return reply.callNotFound();
      const map = await source.get();
      const page = await keep(`map|${map.channel}|${map.rev}`, () =>
        prepare(JSON.stringify(toPublicMap(map)), 200, {
          ...PAGE_HEADERS,
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-cache',
          vary: 'accept-encoding',
        }),
      );
      return send(request, reply, page);
    });

    app.get<{ Params: { name: string; version: string; '*': string } }>(
      '/r/:name/:version/*',
      async (request, reply) => {
        const { name, version, '*': file } = request.params;
        if (!isReleaseName(name) || !isReleaseVersion(version) || !isReleaseFile(file)) return reply.callNotFound();
        const accepted = encodingOf(request);
        const found = await files.read(name, version, file, accepted);
        if (!found) return reply.header('cache-control', 'no-store').callNotFound();
        reply.headers({
          'content-type': contentTypeOf(file),
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          // The code is public, and a CDN may serve it from an address of its own.
          'cross-origin-resource-policy': 'cross-origin',
          'access-control-allow-origin': '*',
          vary: 'accept-encoding',
          etag: `"${version}-${found.encoding}"`,
        });
        if (request.headers['if-none-match'] === `"${version}-${found.encoding}"`) return reply.code(304).send();
        if (found.encoding !== 'identity') reply.header('content-encoding', found.encoding);
        return reply.send(found.content);
      },
    );

    app.get('/icon.svg', async (_request, reply) =>
      reply
        .headers({
          'content-type': 'image/svg+xml',
          'cache-control': 'public, max-age=86400',
          'x-content-type-options': 'nosniff',
        })
        .send(ICON_SVG),
    );
    app.get('/manifest.webmanifest', async (_request, reply) =>
      reply
        .headers({
          'content-type': 'application/manifest+json',
          'cache-control': 'public, max-age=86400',
          'x-content-type-options': 'nosniff',
        })
        .send(WEB_MANIFEST),
    );

    // Never older than the shop: a browser asks for the worker's script at each navigation.
    const worker = serviceWorker();
    app.get('/sw.js', async (_request, reply) =>
      reply
        .headers({
          ...PAGE_HEADERS,
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'no-cache',
          'content-security-policy': "default-src 'none'; connect-src 'self'",
        })
        .send(worker),
    );
    app.get('/offline.html', async (_request, reply) =>
      reply
        .headers({
          ...PAGE_HEADERS,
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-cache',
          'content-security-policy': `${OFFLINE_POLICY}; frame-ancestors 'none'`,
        })
        .send(OFFLINE_HTML),
    );

    app.get<{ Querystring: { release?: unknown } }>('/*', async (request, reply) => {
      const pathname = request.url.split('?')[0] ?? '/';
      if (!wantsPage(request, pathname)) return reply.callNotFound();
      const source = sources.get(channel) as MapSource;
      const live = await source.get();
      if (!live.microFrontends.shell) {
        return reply
          .code(503)
          .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '5' })
          .send('No shell is live yet. Publish and promote one: npm run release -- promote shell\n');
      }
      const map = await withPreview(store, live, request.query.release);
      const page = composeDocument(map, { path: request.url, visitor: visitorOf(request), devOrigins });
      const prepared = await keep(`${page.key}|${page.status}`, () =>
        prepare(page.html, page.status, {
          ...PAGE_HEADERS,
          ...page.headers,
          ...(map.preview && { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }),
          vary: hasCanary(map) ? 'accept-encoding, cookie' : 'accept-encoding',
        }),
      );
      return send(request, reply, prepared);
    });
  };
}

/** `?release=catalog@1.4.0-3f9c2ab1`: a published release of this store, for this page view. Anything else shows what is live. */
async function withPreview(store: Store, map: ReleaseMap, wanted: unknown): Promise<ReleaseMap> {
  const [, name, version] = /^(?:mfe-)?([a-z][a-z0-9-]*)@(.+)$/.exec(typeof wanted === 'string' ? wanted : '') ?? [];
  if (!name || !version) return map;
  const manifest = await store.readManifest(name, version);
  return manifest?.name === name && manifest.version === version ? previewInMap(map, manifest, null) : map;
}
