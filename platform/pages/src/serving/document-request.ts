import { randomInt } from 'node:crypto';
import {
  CHANNEL,
  canaryEntry,
  isFrozen,
  previewInMap,
  type ReleaseMap,
  type RouteContract,
  type Store,
} from '@platform/releases';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RefusedPreview, routeOfAddress } from '../compose/compose-document';
import { cookieOf, setCookie, YEAR_SECONDS } from '../http/cookies';
import { DEFAULT_LANGUAGE, type DocumentLanguage, LANGUAGES, requestedLanguage } from '../metadata/languages';

type Theme = 'light' | 'dark';

export interface DocumentRequest {
  request: FastifyRequest;
  map: ReleaseMap;
  /** Number in [0, 100), by which canaries choose their visitors. */
  visitor: number | null;
  language: DocumentLanguage;
  theme: Theme;
  route: RouteContract | null;
  isPreview: boolean;
  refusedPreview?: RefusedPreview;
}

/** Sets cookies on the reply for the preferences in the request. `givesVisitors`: during a canary, visitors without a number get one. */
export async function readDocumentRequest(
  { store, live, assignsVisitors }: { store: Store; live: ReleaseMap; assignsVisitors: boolean },
  request: FastifyRequest<{ Querystring: { release?: unknown } }>,
  reply: FastifyReply,
): Promise<DocumentRequest> {
  const preview = await previewOf(store, live, request.query.release);
  const map = preview && !preview.refusal ? preview.map : live;
  const visitor = visitorOf(request) ?? (assignsVisitors && hasCanary(map) ? assignVisitor(request, reply) : null);
  storePreferences(request, reply);
  return {
    request,
    map,
    visitor,
    ...preferencesOf(request),
    route: routeOfAddress(map, request.url, visitor),
    isPreview: preview !== null,
    refusedPreview: preview?.refusal ? { release: preview.release, why: preview.refusal } : undefined,
  };
}

const OTHER_PATHS = ['/api/', '/r/', '/releases/'];

/** A browser that opens an address, or a tool that accepts anything and requests no file. */
export function wantsDocument({ url, headers }: FastifyRequest): boolean {
  const pathname = url.split('?')[0] ?? '/';
  if (OTHER_PATHS.some((path) => pathname.startsWith(path))) return false;
  const accept = headers.accept ?? '*/*';
  return accept.includes('text/html') || (accept.includes('*/*') && !/\.[A-Za-z0-9]{1,5}$/.test(pathname));
}

/** The address overrides the cookies. All visitors with the same choice get the same document. */
export function preferencesOf(request: FastifyRequest): { language: DocumentLanguage; theme: Theme } {
  const { url } = request;
  const chosen = cookieOf(request, 'language');
  return {
    language: requestedLanguage(url) ?? LANGUAGES.find((language) => language === chosen) ?? DEFAULT_LANGUAGE,
    theme: requestedTheme(url) ?? (cookieOf(request, 'theme') === 'dark' ? 'dark' : 'light'),
  };
}

function storePreferences(request: FastifyRequest, reply: FastifyReply): void {
  const { url } = request;
  const preferences = { language: requestedLanguage(url), theme: requestedTheme(url) };
  for (const [name, value] of Object.entries(preferences)) {
    if (value && value !== cookieOf(request, name))
      setCookie(request, reply, name, value, { path: '/', maxAge: YEAR_SECONDS, sameSite: 'lax' });
  }
}

function requestedTheme(url: string): Theme | null {
  const theme = new URLSearchParams(url.split('?')[1] ?? '').get('theme');
  return theme === 'dark' || theme === 'light' ? theme : null;
}

export const hasCanary = (map: ReleaseMap) => Object.keys(map.microFrontends).some((name) => canaryEntry(map, name));

/** Chooses the number that the shell's `visitorNumber` would choose otherwise: the document must contain the page of the same release. */
function assignVisitor(request: FastifyRequest, reply: FastifyReply): number {
  const visitor = randomInt(10_000) / 100;
  setCookie(request, reply, 'visitor', String(visitor), { path: '/', maxAge: YEAR_SECONDS, sameSite: 'lax' });
  return visitor;
}

function visitorOf(request: FastifyRequest): number | null {
  const visitor = Number(cookieOf(request, 'visitor') || Number.NaN);
  return visitor >= 0 && visitor < 100 ? visitor : null;
}

/** `?release=catalog@1.4.0-3f9c2ab1` requests a published release in this document. Returns null for any other value. */
async function previewOf(store: Store, live: ReleaseMap, parameter: unknown) {
  const [, name, version] =
    /^(?:mfe-)?([a-z][a-z0-9-]*)@(.+)$/.exec(typeof parameter === 'string' ? parameter : '') ?? [];
  if (!name || !version) return null;
  const manifest = await store.readManifest(name, version);
  if (manifest?.name !== name || manifest.version !== version) return null;
  const publication = await store.publication(name, version);
  // The files are stored before the record. A version with several channels may have stored one for other channels only.
  if (!publication || publication.channels?.includes(CHANNEL) === false) return null;
  return {
    release: `${name}@${version}`,
    map: previewInMap(live, manifest, null),
    refusal: refusalOf(live, name, version),
  };
}

/** Returns why a release is not shown to a visitor who has its address. A version that was live once is public, also after a rollback. */
function refusalOf(live: ReleaseMap, name: string, version: string): RefusedPreview['why'] | null {
  if (isFrozen(live, name, version)) return 'frozen';
  return live.ops.withdrawn?.[name]?.includes(version) ? 'withdrawn' : null;
}
