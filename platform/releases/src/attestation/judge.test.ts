import { createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { sealEnvelope } from '../envelope';
import { attest } from './attestation';
import { judgeAttestation } from './judge';
import { makeSigningKey, readPrivateKey, type SigningKey } from './signing-keys';

const { privateKey, publicKey } = makeSigningKey();
const own = readPrivateKey(privateKey);
const raw = Buffer.from('{"name":"catalog"}');
const sbom = Buffer.from('{"bomFormat":"CycloneDX","components":[{"name":"react"}]}');
const release = { name: 'catalog', version: '1.0.0-3f9c2ab1', raw, sbom };
const source = {
  repository: 'https://forge.example/acme/catalog',
  ref: 'refs/heads/main',
  commit: 'c'.repeat(40),
  builder: 'https://forge.example/acme/catalog/.github/workflows/ci.yml@refs/heads/main',
  run: 'https://forge.example/acme/catalog/actions/runs/77',
  lockfile: 'ab'.repeat(32),
};
const signed = attest(release, source, own);
const keys: SigningKey[] = [
  {
    id: signed.envelope.signatures[0]?.keyid ?? '',
    name: 'catalog CI',
    remotes: ['catalog'],
    publicKey,
    at: '',
    by: '',
  },
];
const statement = JSON.parse(Buffer.from(signed.envelope.payload, 'base64').toString());

it('is an in-toto statement with SLSA provenance, signed as DSSE says', () => {
  const { payloadType, payload, signatures } = signed.envelope;
  const body = Buffer.from(payload, 'base64');
  // The pre-authentication encoding, as the specification of DSSE spells it.
  const text = `DSSEv1 28 application/vnd.in-toto+json ${body.length} ${body}`;
  expect(payloadType).toBe('application/vnd.in-toto+json');
  const sig = Buffer.from(signatures[0]?.sig ?? '', 'base64');
  expect(verify(null, Buffer.from(text), createPublicKey(own), sig)).toBe(true);
  expect(statement).toEqual({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: 'release.json', digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      { name: 'sbom.cdx.json', digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:platform:release:v1',
        externalParameters: { release: 'catalog@1.0.0-3f9c2ab1' },
        resolvedDependencies: [
          {
            name: 'source',
            uri: 'git+https://forge.example/acme/catalog@refs/heads/main',
            digest: { gitCommit: source.commit },
          },
          { name: 'package-lock.json', digest: { sha256: source.lockfile } },
        ],
      },
      runDetails: { builder: { id: source.builder }, metadata: { invocationId: source.run } },
    },
  });
  expect(judgeAttestation(release, signed, keys)).toEqual({
    signedBy: 'catalog CI',
    commit: source.commit,
    packages: 1,
    faults: [],
  });
});

/** The paths of all parts of a value. */
const pathsOf = (value: unknown): string[][] =>
  typeof value === 'object' && value !== null
    ? [[], ...Object.entries(value).flatMap(([key, part]) => pathsOf(part).map((path) => [key, ...path]))]
    : [[]];

const withPart = (value: unknown, [key, ...path]: string[], part: unknown): unknown => {
  if (key === undefined) return part;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = withPart(copy[key], path, part);
  return copy;
};

it('is judged, whatever its publisher has put in the place of any part, and lets nothing through that was not signed', () => {
  const part = fc.jsonValue({ maxDepth: 2 });
  fc.assert(
    fc.property(fc.constantFrom(...pathsOf(statement)), part, part, (path, other, otherSbom) => {
      const changed = JSON.stringify(withPart(statement, path, other));
      const sealed = sealEnvelope(signed.envelope.payloadType, changed, own);
      const again = { envelope: sealed, sbom: JSON.stringify(otherSbom) };
      expect(Array.isArray(judgeAttestation(release, again, keys).faults)).toBe(true);
      const taken = { ...signed, envelope: { ...sealed, signatures: signed.envelope.signatures } };
      const isSame = changed === JSON.stringify(statement);
      expect(judgeAttestation(release, taken, keys).faults.length > 0).toBe(!isSame);
    }),
    { numRuns: 500 },
  );
});
