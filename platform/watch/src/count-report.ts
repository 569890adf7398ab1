import type { ReleaseMap } from '@platform/releases';
import type { HealthCounts } from './health-counts';
import { toContext, toEvent } from './health-event';
import { trafficOf } from './release-metrics';

/** Counts what a browser reports of releases that the map knows. `network`: whose budget and vote it takes. */
export function countReport(
  counts: HealthCounts,
  map: ReleaseMap,
  { context, events }: { context?: unknown; events: readonly unknown[] },
  network: string,
): void {
  for (const value of events) {
    const event = toEvent(value);
    const traffic = event && trafficOf(map, event.name, event.version);
    if (event && traffic !== null) counts.add(event, { network, context: toContext(context), traffic });
  }
}
