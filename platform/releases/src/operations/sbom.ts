import { readSbom } from '../attestation/judge';
import { liveVersion } from '../map';
import { type Store, StoreError } from '../store/store';
import { DEFAULT_CHANNEL, requireManifest } from './change-map';

/** The SBOM (CycloneDX) of a release; without a version, of the live one. Throws StoreError. */
export async function sbomOfRelease(
  store: Store,
  { name, version, channel = DEFAULT_CHANNEL }: { name: string; version?: string; channel?: string },
): Promise<unknown> {
  const wanted = version ?? liveVersion(await store.readMap(channel), name);
  if (!wanted) throw new StoreError(`nothing of ${name} is live; name a version: npm run release -- releases ${name}`);
  await requireManifest(store, name, wanted);
  const text = await readSbom(store, name, wanted);
  if (text === null) throw new StoreError(`${name}@${wanted} was published without an SBOM`);
  try {
    return JSON.parse(text);
  } catch {
    throw new StoreError(`the SBOM of ${name}@${wanted} is no JSON; publish its build again`);
  }
}
