import {
  canaryEntry,
  isServerFile,
  liveEntry,
  type ReleaseManifest,
  type ReleaseMap,
  type Store,
} from '@platform/releases';
import { covers, type OverrideRight } from './override-right';
import type { PanelRelease, PanelState, PublishedRelease, SizedRelease } from './panel-state';
import { refusalOf } from './preview';

/** Of each name. */
const MOST_PUBLISHED = 12;

export async function readPanelState(store: Store, map: ReleaseMap, right: OverrideRight): Promise<PanelState> {
  const names = [...new Set([...Object.keys(map.microFrontends), ...(await store.names())])].sort();
  const sized = async (name: string, version: string): Promise<SizedRelease> => ({
    version,
    bytes: bytesOf(await store.readManifest(name, version)),
  });
  const publishedOf = async (name: string): Promise<PublishedRelease[]> => {
    const latest = (await store.publications(name)).slice(0, MOST_PUBLISHED);
    return Promise.all(
      latest.map(async ({ version, at, by, channels }) => ({
        ...(await sized(name, version)),
        ...{ at, by, refusal: refusalOf(map, { name, version, channels }) },
      })),
    );
  };
  const releases = names.map(async (name): Promise<PanelRelease> => {
    const live = liveEntry(map, name);
    const canary = canaryEntry(map, name);
    return {
      name,
      live: live ? await sized(name, live.metadata.version) : null,
      canary: canary ? { ...(await sized(name, canary.metadata.version)), traffic: canary.deployment.traffic } : null,
      published: covers(right, name) ? await publishedOf(name) : null,
    };
  });
  return { channel: map.channel, by: right.by, releases: await Promise.all(releases) };
}

function bytesOf(manifest: ReleaseManifest | null): number | null {
  if (!manifest) return null;
  const forBrowsers = Object.entries(manifest.files).filter(
    ([file]) => /\.(js|css)$/.test(file) && !isServerFile(file),
  );
  return forBrowsers.reduce((sum, [, { size }]) => sum + size, 0);
}
