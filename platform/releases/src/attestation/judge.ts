import { MANIFEST_FILE } from '../contract';
import { type Envelope, isSignedBy } from '../envelope';
import { type Store, StoreError } from '../store/store';
import { type Attestation, claimsIn, parseAttestation, SBOM_FILE, sha256 } from './attestation';
import { readPublicKey, type SigningKey, SigningKeys } from './signing-keys';

export interface AttestationSummary {
  /** Name of the signing key; null when nobody has signed, or the signature is not good. */
  signedBy: string | null;
  commit: string | null;
  /** In the SBOM. */
  packages: number | null;
  /** Why the gate refuses it on a channel that asks for signed provenance, each with what to do. */
  faults: string[];
}

const AGAIN = 'publish it again with RELEASE_SIGNING_KEY set';

/** What is known of a release, and what is wrong with it. `raw` is its manifest as stored. */
export function judgeAttestation(
  { name, raw }: { name: string; raw: Buffer | null },
  attestation: Attestation | null,
  keys: readonly SigningKey[],
): AttestationSummary {
  const nothing = { signedBy: null, commit: null, packages: null };
  if (!attestation) return { ...nothing, faults: [`it has no provenance: ${AGAIN}`] };
  const { envelope, sbom } = attestation;
  const claims = claimsIn(envelope);
  if (!claims) return { ...nothing, faults: [`its provenance is no in-toto statement with SLSA provenance: ${AGAIN}`] };
  const { signedBy, fault } = signatureOf(name, envelope, keys);
  const { commit } = claims;
  const packages = packagesIn(sbom);
  const faults = [
    fault,
    (!raw || claims.manifest !== sha256(raw)) &&
      `${MANIFEST_FILE} is not the one that the provenance names: build and publish a new version`,
    (!sbom || !claims.sbom || packages === null) &&
      `it has no SBOM: build it with npm run release -- build, or put ${SBOM_FILE} (CycloneDX) into the build, and ${AGAIN}`,
    sbom &&
      claims.sbom &&
      claims.sbom !== sha256(sbom) &&
      `its SBOM is not the one that the provenance names: ${AGAIN}`,
    !commit && `its provenance names no commit: commit all changes and ${AGAIN}`,
  ].filter((one) => typeof one === 'string');
  return { signedBy, commit, packages, faults };
}

/** One good signature is enough. */
function signatureOf(
  name: string,
  envelope: Envelope,
  keys: readonly SigningKey[],
): { signedBy: string | null; fault?: string } {
  const found = envelope.signatures.map((signature): { signedBy: string | null; fault?: string } => {
    const { keyid } = signature;
    const key = keys.find(({ id }) => id === keyid);
    const refuse = (fault: string) => ({ signedBy: null, fault });
    if (!key)
      return refuse(`it is signed by the key ${keyid}, which ops has not added: npm run release -- signing-key add`);
    if (!isSignedBy(envelope, signature, readPublicKey(key.publicKey)))
      return refuse(`its signature is not one of ${key.name} over this provenance: ${AGAIN}`);
    if (key.revoked)
      return refuse(
        `it is signed by ${key.name}, a key that ${key.revoked.by} revoked on ${key.revoked.at}: make another (npm run release -- signing-key) and ${AGAIN}`,
      );
    if (!key.remotes.includes(name))
      return refuse(
        `it is signed by ${key.name}, a key of ${key.remotes.join(', ')} and not of ${name}: sign it with one of ${name}`,
      );
    return { signedBy: key.name };
  });
  return (
    found.find(({ fault }) => !fault) ?? found[0] ?? { signedBy: null, fault: `its provenance is not signed: ${AGAIN}` }
  );
}

/** Null for what is no CycloneDX document. */
function packagesIn(sbom: string | null): number | null {
  try {
    const { bomFormat, components = [] } = JSON.parse(sbom ?? '') as { bomFormat?: unknown; components?: unknown };
    return bomFormat === 'CycloneDX' && Array.isArray(components) ? components.length : null;
  } catch {
    return null;
  }
}

/** The text of a release's SBOM; null for one that was published without. */
export async function readSbom(store: Store, name: string, version: string): Promise<string | null> {
  const content = await store.readAttestation(name, version);
  return (content && parseAttestation(content)?.sbom) ?? null;
}

export const signingKeysOf = (store: Store): Promise<SigningKey[]> => new SigningKeys(store.blobs).list();

/** Undefined for a release that was published without. */
export async function summaryOf(
  store: Store,
  name: string,
  version: string,
  keys: readonly SigningKey[],
): Promise<AttestationSummary | undefined> {
  const content = await store.readAttestation(name, version);
  if (!content) return undefined;
  const raw = await store.readFile(name, version, MANIFEST_FILE);
  return judgeAttestation({ name, raw }, parseAttestation(content), keys);
}

/** Keeps it with the release, unless the one that is there has fewer faults, or as many and a signature that this one lacks. Throws StoreError. */
export async function recordAttestation(
  store: Store,
  { name, version, raw }: { name: string; version: string; raw: Buffer },
  attestation: Attestation,
): Promise<void> {
  const content = Buffer.from(`${JSON.stringify(attestation)}\n`);
  if (!parseAttestation(content)) throw new StoreError('the provenance is in no sound envelope; publish again');
  const there = await store.readAttestation(name, version);
  const known = there && parseAttestation(there);
  if (known) {
    const keys = await signingKeysOf(store);
    const faultsOf = (one: Attestation) => judgeAttestation({ name, raw }, one, keys).faults.length;
    const more = faultsOf(attestation) - faultsOf(known);
    const isUnsigned = attestation.envelope.signatures.length === 0 && known.envelope.signatures.length > 0;
    if (more > 0 || (more === 0 && isUnsigned)) return;
  }
  await store.writeAttestation(name, version, content);
}
