/** What a publisher says of a release: an in-toto statement with SLSA provenance, in an envelope, and the SBOM that it names. */
import { createHash, type KeyObject } from 'node:crypto';
import { MANIFEST_FILE } from '../contract';
import { type Envelope, sealEnvelope } from '../envelope';
import type { Provenance } from '../store/store';

/** CycloneDX, beside the manifest in a build's output; in the store it is apart from the files that are served. */
export const SBOM_FILE = 'sbom.cdx.json';
const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'https://slsa.dev/provenance/v1';
const BUILD_TYPE = 'urn:platform:release:v1';
/** Of a build that no CI has run. */
const LOCAL_BUILDER = 'urn:platform:builder:local';

export interface Attestation {
  envelope: Envelope;
  /** The SBOM's text; null for a build without one. */
  sbom: string | null;
}

/** What a statement is about. */
export interface Attested {
  name: string;
  version: string;
  /** Its manifest, byte by byte. */
  raw: Buffer;
  sbom: Buffer | null;
}

interface Resource {
  name?: string;
  uri?: string;
  digest: Record<string, string>;
}

/** https://github.com/in-toto/attestation, https://slsa.dev/spec/v1.0/provenance */
interface Statement {
  _type: typeof STATEMENT_TYPE;
  subject: Resource[];
  predicateType: typeof PREDICATE_TYPE;
  predicate: {
    buildDefinition: {
      buildType: string;
      externalParameters: { release: string };
      resolvedDependencies: Resource[];
    };
    runDetails: { builder: { id: string }; metadata?: { invocationId: string } };
  };
}

export const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

function statementOf({ name, version, raw, sbom }: Attested, source: Provenance): Statement {
  const { repository, ref, commit, builder, run, lockfile } = source;
  const uri = repository && `git+${repository}${ref ? `@${ref}` : ''}`;
  return {
    _type: STATEMENT_TYPE,
    subject: [
      { name: MANIFEST_FILE, digest: { sha256: sha256(raw) } },
      ...(sbom ? [{ name: SBOM_FILE, digest: { sha256: sha256(sbom) } }] : []),
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { release: `${name}@${version}` },
        resolvedDependencies: [
          ...(commit ? [{ name: 'source', ...(uri && { uri }), digest: { gitCommit: commit } }] : []),
          ...(lockfile ? [{ name: 'package-lock.json', digest: { sha256: lockfile } }] : []),
        ],
      },
      runDetails: { builder: { id: builder ?? LOCAL_BUILDER }, ...(run && { metadata: { invocationId: run } }) },
    },
  };
}

/** Without a key the statement is written all the same, for who asks what a release was built from. */
export const attest = (release: Attested, source: Provenance, key?: KeyObject): Attestation => ({
  envelope: sealEnvelope(PAYLOAD_TYPE, JSON.stringify(statementOf(release, source)), key),
  sbom: release.sbom?.toString('utf8') ?? null,
});

/** What a statement says of a release. */
export interface Claims {
  /** SHA-256 of the manifest, and of the SBOM. */
  manifest?: string;
  sbom?: string;
  /** Null when none is named, or what is named is no commit of git. */
  commit: string | null;
}

/** Null for what is no such statement. Publishers write it, so any part can be anything. */
export function claimsIn({ payloadType, payload }: Envelope): Claims | null {
  if (payloadType !== PAYLOAD_TYPE) return null;
  try {
    const statement = JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as Statement;
    const { _type, predicateType, subject, predicate } = statement;
    if (_type !== STATEMENT_TYPE || predicateType !== PREDICATE_TYPE) return null;
    const hashOf = (file: string) => subject.find(({ name }) => name === file)?.digest.sha256;
    const commits = predicate.buildDefinition.resolvedDependencies.map(({ digest }) => digest?.gitCommit);
    const commit = commits.find((one) => typeof one === 'string' && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(one));
    return { manifest: hashOf(MANIFEST_FILE), sbom: hashOf(SBOM_FILE), commit: commit ?? null };
  } catch {
    return null;
  }
}

/** Null for what is none. */
export function parseAttestation(content: Buffer): Attestation | null {
  try {
    const { envelope, sbom } = JSON.parse(content.toString('utf8')) as Attestation;
    const { payloadType, payload, signatures } = envelope;
    const areSound = signatures.every(({ keyid, sig }) => /^[\w:.-]{1,100}$/.test(keyid) && typeof sig === 'string');
    const areTexts = [payloadType, payload, sbom ?? ''].every((one) => typeof one === 'string');
    return areSound && areTexts ? { envelope, sbom } : null;
  } catch {
    return null;
  }
}
