/**
 * Which release of a name a visitor gets. The page and the shell use this one function, so that the preloads and the code
 * that runs agree. A visitor number is a random whole number from 0 to 9999, kept by the browser.
 */
export const VISITOR_NUMBERS = 10_000;

interface Deployed {
  deployment: { traffic: number; default: boolean };
}

/** Each name starts its canary at another visitor, so that the same few people do not get every canary of the shop. */
function offset(name: string): number {
  let hash = 0;
  for (let index = 0; index < name.length; index += 1) hash = (hash * 31 + name.charCodeAt(index)) % VISITOR_NUMBERS;
  return hash;
}

/** Sticky: raising a canary's traffic keeps everyone who already has it. Without a number, the default. */
export function selectEntry<E extends Deployed>(
  entries: readonly E[] | undefined,
  name: string,
  visitor?: number | null,
): E | undefined {
  const live = entries?.find((entry) => entry.deployment.default) ?? entries?.[0];
  const canary = entries?.find((entry) => !entry.deployment.default);
  if (!canary || visitor === null || visitor === undefined || !Number.isInteger(visitor)) return live;
  const place = (visitor + offset(name)) % VISITOR_NUMBERS;
  return place < (canary.deployment.traffic * VISITOR_NUMBERS) / 100 ? canary : live;
}
