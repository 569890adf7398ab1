import type { MapEntry } from './release-map';

/**
 * The entry of one name that a visitor gets. `visitor` is a stable number in [0, 100) that the browser keeps; the canary takes
 * the range below its traffic, so raising its traffic keeps every visitor who already has it. Without a number: the default.
 * Undefined outside of a first release's share: there is no default then.
 */
export function selectEntry<E extends Pick<MapEntry, 'deployment'>>(
  entries: readonly E[] | undefined,
  visitor?: number | null,
): E | undefined {
  const canary = entries?.find(({ deployment }) => !deployment.default);
  if (canary && typeof visitor === 'number' && visitor >= 0 && visitor < canary.deployment.traffic) return canary;
  return entries?.find(({ deployment }) => deployment.default);
}
