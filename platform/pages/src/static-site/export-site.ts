/**
 * The site as static files: every change of a map also writes the documents into the store, so that nginx or a CDN in front of
 * it serves the site without Node.
 *
 *   site/<channel>/pages/index.html      every other address
 *   site/<channel>/pages/hello.html      /hello
 *   site/<channel>/pages/hello/_.html    /hello/:name
 *   site/<channel>/map.json              served as /releases/<channel>.json
 */
import {
  AT_ONCE,
  compressedSiblings,
  inParallel,
  type ReleaseMap,
  SHELL,
  type Store,
  toPublicMap,
} from '@platform/releases';
import { composeDocument, routesOfMap } from '../compose/compose-document';
import { readPictureOrigins } from '../compose/picture-origins';
import { siteFiles } from '../offline/site-files';
import { robotsText } from '../site/robots';
import { site } from '../site/site';

/** Null when index.html serves the route: a static server can map a parameter only in the last segment. */
function pageFile(path: string): string | null {
  const segments = path.split('/').filter(Boolean);
  const last = segments.pop();
  if (!last || segments.some((segment) => /[:*]/.test(segment))) return null;
  return ['pages', ...segments, last.startsWith(':') ? '_' : last].join('/').concat('.html');
}

interface SiteOptions {
  /** The site's, for whole addresses in documents; '' leaves them out. */
  origin?: string;
  pictureOrigins?: readonly string[];
}

export function composeSite(map: ReleaseMap, options: SiteOptions = {}): Map<string, string> {
  const files = new Map<string, string>();
  // nginx derives its ETag from size and second; padding tells apart two revisions of the same size in one second.
  const padding = '\n'.repeat(map.rev % 61);
  const compose = (path: string) => composeDocument(map, { ...options, path, metaPolicy: true }).html + padding;
  for (const entries of Object.values(map.microFrontends)) {
    for (const { path } of entries.find(({ deployment }) => deployment.default)?.extras.remote?.routes ?? []) {
      const file = pageFile(path);
      if (file) files.set(file, compose(path.replace(/:[^/]+/g, 'x')));
    }
  }
  files.set('pages/index.html', compose('/404'));
  const home = files.get('pages/home.html');
  if (home) files.set('pages/root.html', home);
  files.set('map.json', JSON.stringify(toPublicMap(map)) + padding);
  files.set('robots.txt', robotsText(routesOfMap(map), null));
  for (const { path, content } of siteFiles()) files.set(path.slice(1), content);
  return files;
}

/** PUBLIC_URL and MEDIA_ORIGINS, which whoever changes the map should have: the server, or the squad's terminal. */
function settingsOfEnvironment(): SiteOptions {
  const { PUBLIC_URL = '', MEDIA_ORIGINS } = process.env;
  return {
    origin: URL.canParse(PUBLIC_URL) ? new URL(PUBLIC_URL).origin : '',
    pictureOrigins: readPictureOrigins(MEDIA_ORIGINS).origins,
  };
}

/** Writes the newest revision, and again when another was written meanwhile, so that the newest one remains. */
export async function exportSite(store: Store, channel: string): Promise<{ rev: number; files: number }> {
  for (;;) {
    const map = await store.readMap(channel);
    if (!map.microFrontends[SHELL]) return { rev: map.rev, files: 0 };
    const files = composeSite(map, settingsOfEnvironment());
    await inParallel([...files], AT_ONCE, async ([file, text]) => {
      const content = Buffer.from(text);
      const key = `site/${channel}/${file}`;
      if ((await store.blobs.get(key))?.equals(content)) return;
      for (const [sibling, compressed] of await compressedSiblings(file, content)) {
        await store.blobs.put(`site/${channel}/${sibling}`, compressed);
      }
      await store.blobs.put(key, content);
    });
    if ((await store.readMap(channel)).rev === map.rev) return { rev: map.rev, files: files.size };
  }
}

/**
 * The store of the described site: every change of a map also writes that channel's static site, no remote may claim an address of its
 * server, and none may need a call that it has not.
 */
export const withStaticSite = (store: Store, server: Pick<Store, 'serverCalls'> = {}): Store => ({
  ...store,
  ...server,
  serverRoutes: site().serverRoutes,
  afterMapChange: async (channel) => {
    await exportSite(store, channel);
  },
});
