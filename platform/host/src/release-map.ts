import { type PageMap, type ReleaseFiles, type RemoteContract, SHELL, selectEntry } from '@platform/releases/contract';

export interface Release extends Pick<ReleaseFiles, 'base' | 'entry' | 'integrity' | 'container'> {
  name: string;
  version: string;
  /** The map of the document has none. */
  exposes?: ReleaseFiles['exposes'];
  contract: RemoteContract | null;
  fallback: Release | null;
}

/** Throws when the document contains no map, because the server did not compose it. */
export function readEmbeddedMap(): PageMap {
  const text = document.getElementById('release-map')?.textContent;
  if (!text) throw new Error('this page carries no release map (#release-map)');
  return JSON.parse(text) as PageMap;
}

const yearSeconds = 365 * 24 * 60 * 60;

/**
 * A stable random number in [0, 100) that decides the canary split. It is a cookie because server and shell must choose the same
 * release. It has ten thousand possible values, so it identifies no visitor.
 */
export function visitorNumber(): number {
  const stored = Number(/(?:^|;\s*)visitor=([0-9.]+)/.exec(document.cookie)?.[1] ?? Number.NaN);
  if (stored >= 0 && stored < 100) return stored;
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const fresh = Math.floor((random / 2 ** 32) * 10_000) / 100;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox ESR
  document.cookie = `visitor=${fresh}; path=/; max-age=${yearSeconds}; samesite=lax`;
  return fresh;
}

/** `visitor` is a stable number in [0, 100). */
export function chooseRelease(map: PageMap, name: string, visitor: number): Release | null {
  const entry = selectEntry(map.microFrontends[name], visitor);
  if (!entry) return null;
  const { fallback, remote: contract = null, ...files } = entry.extras;
  const { version } = entry.metadata;
  const release: Release = { integrity: {}, ...files, name, version, contract, fallback: null };
  // A previewed release has no fallback, so that its failure shows.
  if (fallback && map.preview?.name !== name) {
    const { remote = contract, ...fallbackFiles } = fallback;
    release.fallback = { integrity: {}, ...fallbackFiles, name, contract: remote, fallback: null };
  }
  return release;
}

export function remoteNames(map: PageMap): string[] {
  return Object.keys(map.microFrontends).filter((name) => name !== SHELL);
}
