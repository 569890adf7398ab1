import {
  type MapEntry,
  type PageMap,
  type PageMapEntry,
  type ReleaseFiles,
  type ReleaseMap,
  type RemoteContract,
  SHELL,
} from '../contract';

function mapEntries(map: ReleaseMap, toPageEntry: (entry: MapEntry, name: string) => PageMapEntry): PageMap {
  const { channel, rev, microFrontends, preview } = map;
  const entries = Object.entries(microFrontends).map(
    ([name, ofName]) => [name, ofName.map((entry) => toPageEntry(entry, name))] as const,
  );
  return { channel, rev, microFrontends: Object.fromEntries(entries), ...(preview && { preview }) };
}

/** The map at RELEASE_MAP_URL, without names, reasons and data for the gate only. */
export function toPublicMap(map: ReleaseMap): PageMap {
  const publicMap = mapEntries(map, ({ extras: { singletons: _, ...extras }, ...entry }) => ({
    ...entry,
    extras,
  }));
  const withdrawn = withdrawnVersions(map);
  return Object.keys(withdrawn).length > 0 ? { ...publicMap, withdrawn } : publicMap;
}

/** Per name, the versions that were rolled back or frozen. A frozen version that is still live stays in use. */
function withdrawnVersions({ ops, microFrontends }: ReleaseMap): Record<string, string[]> {
  const names = new Set([...Object.keys(ops.withdrawn ?? {}), ...Object.keys(ops.frozen)]);
  const entries = [...names].map((name) => {
    const frozen = (ops.frozen[name] ?? []).flatMap(({ version }) => version ?? []);
    const offered = (microFrontends[name] ?? []).map(({ metadata }) => metadata.version);
    const versions = new Set([...(ops.withdrawn?.[name] ?? []), ...frozen]);
    return [name, [...versions].filter((version) => !offered.includes(version))] as const;
  });
  return Object.fromEntries(entries.filter(([, versions]) => versions.length > 0));
}

/** Where an entry is and what it defines. The document itself loads the shell's files, so it needs no hashes of them. */
const pageFiles = ({ base, entry, integrity, container }: ReleaseFiles, isShell = false) => ({
  base,
  entry,
  ...(!isShell && { integrity: integrity[entry] ? { [entry]: integrity[entry] } : {} }),
  ...(container && { container }),
});

function toPageContract(remote: RemoteContract): RemoteContract {
  const { $schema: _, canary: __, steps: ___, links: ____, ...contract } = remote;
  const routes = remote.routes.map(({ firstCalls: _, description: __, kind: ___, parameters: ____, ...route }) => ({
    ...route,
    module: '',
  }));
  return { ...contract, routes };
}

/**
 * The map in a document. It contains only what the shell needs to route and to run an entry, because these bytes precede the first script.
 * The files of pages are left out: the document preloads those of its own route, and an entry knows its chunks' hashes.
 */
export function toPageMap(map: ReleaseMap): PageMap {
  return mapEntries(map, ({ metadata, deployment, extras }, name) => {
    const { fallback, remote } = extras;
    const isShell = name === SHELL;
    const fallbackFiles = !isShell &&
      fallback && {
        version: fallback.version,
        ...pageFiles(fallback),
        ...(fallback.remote && { remote: toPageContract(fallback.remote) }),
      };
    return {
      metadata,
      deployment,
      extras: {
        ...pageFiles(extras, isShell),
        ...(fallbackFiles && { fallback: fallbackFiles }),
        ...(remote && { remote: toPageContract(remote) }),
      },
    };
  });
}
