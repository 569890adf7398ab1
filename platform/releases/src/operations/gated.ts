import { GATE_VERSION, type Verdict } from '../gate/verdict';
import { liveVersion } from '../map';
import { type GateRecord, type Store, StoreError } from '../store/store';
import { DEFAULT_CHANNEL } from './change-map';

/** Stores a verdict with the release; the last one counts. */
export async function recordVerdict(
  store: Store,
  { name, version, passed, checks }: Verdict,
  {
    by = 'gate',
    channel = DEFAULT_CHANNEL,
    at = new Date().toISOString(),
  }: { by?: string; channel?: string; at?: string },
): Promise<void> {
  await store.recordVerdict({ name, version, passed, gate: GATE_VERSION, at, by, channel, checks });
}

/**
 * The version for a promote that names none: of the releases that passed the gate, the one published last. Throws StoreError if
 * there is none, if only releases that did not pass are newer than the live one, and if it was rolled back.
 */
export async function newestGated(
  store: Store,
  { name, channel = DEFAULT_CHANNEL, say }: { name: string; channel?: string; say?: (line: string) => void },
): Promise<string> {
  const published = await store.publications(name);
  if (published.length === 0) {
    throw new StoreError(`no release of ${name} is published; run: npm run release -- publish ${name}`);
  }
  const map = await store.readMap(channel);
  const passedOver: string[] = [];
  for (const { version } of published) {
    const fault = faultOf(await store.readVerdict(name, version));
    if (fault) {
      passedOver.push(`${name}@${version} ${fault}`);
      continue;
    }
    if (passedOver.length > 0 && version === liveVersion(map, name)) break;
    if (map.ops.withdrawn?.[name]?.includes(version))
      throw new StoreError(
        `${name}@${version} was rolled back (see: npm run release -- history ${name}); to promote it again, name it: npm run release -- promote ${name}@${version}`,
      );
    for (const release of passedOver) say?.(`${release}; taking ${version}, published before it`);
    return version;
  }
  throw new StoreError(
    `${passedOver[0]}, and no older release is new; run: npm run release -- gate ${name}@${published[0]?.version}, or promote it by its version`,
  );
}

/**
 * Whether the release passed the current gate with every check. A skipped check counts as not passed, except the signed-in
 * visits, for which an operator need not provide an account.
 */
export async function hasPassedGate(store: Store, name: string, version: string): Promise<boolean> {
  const verdict = await store.readVerdict(name, version);
  const isWhole = verdict?.checks.every(({ check, outcome }) => outcome === 'passed' || check === 'sign-in') ?? false;
  return isWhole && faultOf(verdict) === null;
}

function faultOf(verdict: GateRecord | null): string | null {
  if (!verdict) return 'has not been through the gate';
  if (!verdict.passed) return `did not pass the gate on ${verdict.at}`;
  return verdict.gate < GATE_VERSION ? `has passed an earlier gate only, on ${verdict.at}` : null;
}
