/// <reference lib="webworker" />
/**
 * Network first and for documents only: no document, call or payment is cached or sent later, so a promote or a rollback reaches
 * a returning visitor exactly as without a worker. The worker controls pages only from the next document on: clients.claim()
 * would evict pages from the back/forward cache.
 */
import { CACHE_PREFIX, OFFLINE_URL } from './offline-cache';

declare const self: ServiceWorkerGlobalScope & typeof globalThis;
/** The server defines it before this script; it changes with the offline page. */
declare const offlineCacheName: string;

interface RouterEvent extends ExtendableEvent {
  addRoutes?(rule: { condition: { urlPattern: unknown }; source: 'network' }): Promise<void>;
}
declare const URLPattern: new (pattern: { pathname: string }) => unknown;

const documentPath = /^\/(?!(?:api|ops|staff|cashier|uploads|media|dev|r|releases)(?:\/|$))[^.]*$/;
const bypassedPaths = ['/api/*', '/r/*', '/media/*', '/releases/*', '/uploads/*'];

self.addEventListener('install', (event: RouterEvent) => {
  self.skipWaiting();
  // Browsers that support it bypass this worker for everything but documents, without starting it.
  if (event.addRoutes) {
    for (const pathname of bypassedPaths) {
      event.addRoutes({ condition: { urlPattern: new URLPattern({ pathname }) }, source: 'network' }).catch(() => {});
    }
  }
  event.waitUntil(
    caches.open(offlineCacheName).then((cache) => cache.add(new Request(OFFLINE_URL, { cache: 'reload' }))),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.registration.navigationPreload?.enable(), deleteOldCaches()]));
});

async function deleteOldCaches(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== offlineCacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode !== 'navigate' || request.method !== 'GET') return;
  const { origin, pathname } = new URL(request.url);
  if (origin === self.location.origin && documentPath.test(pathname)) event.respondWith(documentOrOfflinePage(event));
});

async function documentOrOfflinePage({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    return (await preloadResponse) || (await fetch(request));
  } catch (error) {
    const page = await caches.match(OFFLINE_URL, { cacheName: offlineCacheName });
    if (page) return page;
    throw error;
  }
}
