import type { ReleaseMap } from '@platform/releases';
import type { HealthCounts } from './health-counts';
import { fileOfPlace, toContext, toEvent } from './health-event';
import { trafficOf } from './release-metrics';

export function countReport(
  counts: HealthCounts,
  map: ReleaseMap,
  { context, events }: { context?: unknown; events: readonly unknown[] },
  network: string,
): void {
  for (const value of events) {
    const event = toEvent(value);
    const traffic = event && trafficOf(map, event.name, event.version);
    if (!event || traffic === null) continue;
    // Accepts positions in scripts of the release only, so that invented positions do not fill the store.
    const isPlace = event.at && scriptsOf(map, event).has(fileOfPlace(event.at));
    counts.add(isPlace ? event : { ...event, at: undefined }, { network, context: toContext(context), traffic });
  }
}

function scriptsOf(map: ReleaseMap, { name, version }: { name: string; version: string }): Set<string> {
  const releases = (map.microFrontends[name] ?? []).flatMap(({ metadata, extras }) => [
    { version: metadata.version, integrity: extras.integrity },
    ...(extras.fallback ? [extras.fallback] : []),
  ]);
  return new Set(Object.keys(releases.find((one) => one.version === version)?.integrity ?? {}));
}
