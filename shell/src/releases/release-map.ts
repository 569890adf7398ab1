/**
 * The release map as the page carries it (docs/adr/0003-releases-as-data.md; the format follows the Frontend Discovery
 * schema). The shell reads it, chooses one release of each remote for this visitor, and never writes it.
 */
import type { RemoteContract } from '@shop/shared/routing';

export interface FallbackRelease {
  version: string;
  /** Address of the release's folder, ending in a slash. */
  base: string;
  entry: string;
  exposes?: Record<string, { js: string[]; css: string[] }>;
  /** File of the release → sha384-…; every script and style of it. */
  integrity: Record<string, string>;
  remote?: RemoteContract;
}

export interface LiveRelease {
  url: string;
  fallbackUrl?: string;
  metadata: { version: string; integrity: string };
  deployment: { traffic: number; default: boolean };
  extras: Omit<FallbackRelease, 'version'> & {
    previous: string | null;
    fallback?: FallbackRelease | null;
    remote?: RemoteContract;
  };
}

export interface ReleaseMap {
  channel: string;
  rev: number;
  microFrontends: Record<string, LiveRelease[]>;
  /** Set in a tab that shows a published release which is not live. */
  preview?: { name: string; version: string };
}

/** One release of one remote, ready to be loaded. */
export interface Release {
  name: string;
  version: string;
  base: string;
  entry: string;
  integrity: Record<string, string>;
  /** Per exposed module, the files a page needs besides the entry; the map that a page carries leaves them out. */
  exposes?: Record<string, { js: string[]; css: string[] }>;
  contract: RemoteContract | null;
  /** The release before it, for when this one does not load. */
  fallback: Release | null;
}

const embeddedMapId = 'release-map';

/** Reads the map that the page carries. Throws when there is none: the page was not composed. */
export function readEmbeddedMap(): ReleaseMap {
  const text = document.getElementById(embeddedMapId)?.textContent;
  if (!text) throw new Error(`this page carries no release map (#${embeddedMapId})`);
  return JSON.parse(text) as ReleaseMap;
}

/**
 * The release of `name` for a visitor. `visitor` is a stable number in [0, 100): the releases share that range by their
 * traffic, the canary first, so that raising its share never takes a visitor out of it.
 */
export function chooseRelease(map: ReleaseMap, name: string, visitor: number): Release | null {
  const candidates = map.microFrontends[name] ?? [];
  const canary = candidates.find((candidate) => !candidate.deployment.default);
  const standard = candidates.find((candidate) => candidate.deployment.default) ?? candidates[0];
  const chosen = canary && visitor < canary.deployment.traffic ? canary : standard;
  if (!chosen) return null;
  // Who previews a release must see it fail.
  const previewed = map.preview?.name === name;
  return toRelease(name, chosen, previewed ? null : chosen.extras.fallback);
}

function toRelease(name: string, live: LiveRelease, previous: FallbackRelease | null | undefined): Release {
  const { extras, metadata } = live;
  return {
    name,
    version: metadata.version,
    base: extras.base,
    entry: extras.entry,
    integrity: extras.integrity,
    exposes: extras.exposes,
    contract: extras.remote ?? null,
    fallback: previous
      ? {
          name,
          version: previous.version,
          base: previous.base,
          entry: previous.entry,
          integrity: previous.integrity,
          exposes: previous.exposes,
          contract: previous.remote ?? extras.remote ?? null,
          fallback: null,
        }
      : null,
  };
}

/** The names of the remotes, the shell left out. */
export function remoteNames(map: ReleaseMap): string[] {
  return Object.keys(map.microFrontends).filter((name) => name !== 'shell');
}
