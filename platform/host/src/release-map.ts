import {
  type PageMap,
  type PageMapEntry,
  type ReleaseFiles,
  type RemoteContract,
  SHELL,
  selectEntry,
} from '@platform/releases/contract';

export interface Release extends Pick<ReleaseFiles, 'base' | 'entry' | 'integrity' | 'container'> {
  name: string;
  version: string;
  /** The map of the document has none. */
  exposes?: ReleaseFiles['exposes'];
  contract: RemoteContract | null;
  fallback: Release | null;
}

const embeddedMapId = 'release-map';

/** Throws when the document contains no map, because the server did not compose it. */
export function readEmbeddedMap(): PageMap {
  const text = document.getElementById(embeddedMapId)?.textContent;
  if (!text) throw new Error(`this page carries no release map (#${embeddedMapId})`);
  return JSON.parse(text) as PageMap;
}

/** `visitor` is a stable number in [0, 100). */
export function chooseRelease(map: PageMap, name: string, visitor: number): Release | null {
  const entry = selectEntry(map.microFrontends[name], visitor);
  if (!entry) return null;
  const { extras, metadata } = entry;
  const contract = extras.remote ?? null;
  // A previewed release has no fallback, so that its failure shows.
  const fallback = map.preview?.name === name ? null : extras.fallback;
  return {
    ...toRelease(name, metadata.version, extras, contract),
    fallback: fallback ? toRelease(name, fallback.version, fallback, fallback.remote ?? contract) : null,
  };
}

function toRelease(
  name: string,
  version: string,
  {
    base,
    entry,
    integrity = {},
    exposes,
    container,
  }: PageMapEntry['extras'] | NonNullable<PageMapEntry['extras']['fallback']>,
  contract: RemoteContract | null,
): Release {
  return { name, version, base, entry, integrity, exposes, container, contract, fallback: null };
}

export function remoteNames(map: PageMap): string[] {
  return Object.keys(map.microFrontends).filter((name) => name !== SHELL);
}
