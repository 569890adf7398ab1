import { type FallbackRelease, isServerFile, type MapEntry, releaseBase } from '../contract';
import type { ReleaseManifest } from '../manifest';

/** Every script and style for browsers with its hash. Images and fonts are not executed and stay out of the map. */
function integrityOf(manifest: ReleaseManifest): Record<string, string> {
  const files = Object.entries(manifest.files).filter(([file]) => /\.(js|css)$/.test(file) && !isServerFile(file));
  return Object.fromEntries(
    files.sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, { integrity }]) => [file, integrity]),
  );
}

function toFallback(manifest: ReleaseManifest): FallbackRelease {
  return {
    version: manifest.version,
    base: releaseBase(manifest.name, manifest.version),
    entry: manifest.entry,
    initial: manifest.initial,
    exposes: manifest.exposes,
    integrity: integrityOf(manifest),
    ...(manifest.container && { container: manifest.container }),
  };
}

export function toEntry(
  manifest: ReleaseManifest,
  previous: ReleaseManifest | null,
  deployment: MapEntry['deployment'] = { traffic: 100, default: true },
): MapEntry {
  const { version, ...release } = toFallback(manifest);
  const fallback = previous && previous.version !== version ? toFallback(previous) : null;
  if (fallback && previous?.remote && JSON.stringify(previous.remote) !== JSON.stringify(manifest.remote)) {
    fallback.remote = previous.remote;
  }
  return {
    metadata: { version },
    deployment,
    extras: {
      ...release,
      fallback,
      singletons: manifest.singletons,
      runtime: manifest.runtime,
      ...(manifest.remote && { remote: manifest.remote }),
    },
  };
}
