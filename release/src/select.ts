/**
 * Which release of a name a visitor gets. A visitor number is a random number in [0, 100) that the browser keeps
 * (shell/src/releases/visitor.ts); the shell chooses by the same rule, so that the preloads and the code that runs agree.
 */
interface Deployed {
  deployment: { traffic: number; default: boolean };
}

/** Sticky: raising a canary's traffic keeps everyone who already has it. Without a number, the default. */
export function selectEntry<E extends Deployed>(
  entries: readonly E[] | undefined,
  visitor?: number | null,
): E | undefined {
  const live = entries?.find((entry) => entry.deployment.default) ?? entries?.[0];
  const canary = entries?.find((entry) => !entry.deployment.default);
  if (!canary || visitor === null || visitor === undefined || !Number.isFinite(visitor)) return live;
  return visitor >= 0 && visitor < canary.deployment.traffic ? canary : live;
}
