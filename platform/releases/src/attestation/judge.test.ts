import { createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { keyIdOf } from '../ed25519';
import { sealEnvelope } from '../envelope';
import { type Attestation, attest, claimsIn, parseAttestation } from './attestation';
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
const keys: SigningKey[] = [
  {
    id: keyIdOf(createPublicKey(own)),
    name: 'catalog CI',
    remotes: ['catalog'],
    publicKey,
    at: '',
    by: '',
  },
];
const statementIn = ({ envelope }: Attestation) => JSON.parse(Buffer.from(envelope.payload, 'base64').toString());

let signed: Attestation;
let statement: ReturnType<typeof statementIn>;
beforeEach(() => {
  signed = attest(release, source, own);
  statement = statementIn(signed);
});

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

it('says nothing of what is not known', () => {
  const unsigned = attest({ ...release, sbom: null }, {});
  expect(statementIn(unsigned)).toMatchObject({
    subject: [{ name: 'release.json' }],
    predicate: {
      buildDefinition: { resolvedDependencies: [] },
      runDetails: { builder: { id: 'urn:platform:builder:local' } },
    },
  });
  expect(statementIn(unsigned).predicate.runDetails).not.toHaveProperty('metadata');
  expect(unsigned).toMatchObject({ sbom: null, envelope: { signatures: [] } });
  const { commit, repository } = source;
  const dependenciesOf = (from: object) =>
    statementIn(attest(release, from)).predicate.buildDefinition.resolvedDependencies;
  expect(dependenciesOf({ commit })).toEqual([{ name: 'source', digest: { gitCommit: commit } }]);
  expect(dependenciesOf({ commit, repository })).toMatchObject([{ uri: `git+${repository}` }]);
  expect(claimsIn(unsigned.envelope)).toMatchObject({ sbom: undefined, commit: null });
});

it.each<[string, unknown, string | null]>([
  ['of SHA-1', 'c'.repeat(40), 'c'.repeat(40)],
  ['of SHA-256', 'c'.repeat(64), 'c'.repeat(64)],
  ['too short', 'c'.repeat(39), null],
  ['too long', 'c'.repeat(65), null],
  ['with something before it', `-${'c'.repeat(40)}`, null],
  ['with something after it', `${'c'.repeat(64)} `, null],
  ['in a list', ['c'.repeat(40)], null],
])('takes a commit %s for what it is', (_, gitCommit, commit) => {
  statement.predicate.buildDefinition.resolvedDependencies = [{ name: 'no digest' }, { digest: { gitCommit } }];
  const { envelope } = signed;
  expect(claimsIn(sealEnvelope(envelope.payloadType, JSON.stringify(statement)))?.commit).toBe(commit);
});

it('has no claims in a statement of another type', () => {
  const claims = (change: object, payloadType = signed.envelope.payloadType) =>
    claimsIn(sealEnvelope(payloadType, JSON.stringify({ ...statement, ...change })));
  expect(claims({})).toMatchObject({ commit: source.commit });
  expect(claims({}, 'application/json')).toBeNull();
  expect(claims({ _type: 'https://in-toto.io/Statement/v0.1' })).toBeNull();
  expect(claims({ predicateType: 'https://slsa.dev/provenance/v0.2' })).toBeNull();
  expect(claims({ subject: 7 })).toBeNull();
});

it('is read back from its file, and nothing unsound is', () => {
  const read = (content: unknown) => parseAttestation(Buffer.from(JSON.stringify(content)));
  const { envelope } = signed;
  const [signature] = envelope.signatures;
  const good = { keyid: 'k'.repeat(100), sig: 'c2ln' };
  for (const sound of [signed, { envelope: { ...envelope, signatures: [] }, sbom: null }])
    expect(read(sound)).toEqual(sound);
  expect(read({ envelope: { ...envelope, signatures: [good] }, sbom: null })).not.toBeNull();
  for (const bad of [
    { ...good, sig: 7 },
    { ...good, keyid: '' },
    { ...good, keyid: 'k'.repeat(101) },
    { ...good, keyid: '\x1bkey' },
    { ...good, keyid: 'key\x1b' },
  ])
    expect(read({ envelope: { ...envelope, signatures: [signature, bad] }, sbom: null })).toBeNull();
  expect(read({ envelope: { ...envelope, payload: 7 }, sbom: null })).toBeNull();
  expect(read({ envelope: { ...envelope, payloadType: 7 }, sbom: null })).toBeNull();
  expect(read({ envelope, sbom: 7 })).toBeNull();
  expect(read(7)).toBeNull();
  expect(parseAttestation(Buffer.from('{'))).toBeNull();
});

it('is signed by whoever has one good signature on it', () => {
  const other = attest(release, source, readPrivateKey(makeSigningKey().privateKey)).envelope.signatures;
  const { envelope, sbom } = signed;
  const both = { sbom, envelope: { ...envelope, signatures: [...other, ...envelope.signatures] } };
  expect(judgeAttestation(release, both, keys)).toMatchObject({ signedBy: 'catalog CI', faults: [] });
  const foreign = { sbom, envelope: { ...envelope, signatures: other } };
  expect(judgeAttestation(release, foreign, keys)).toMatchObject({
    signedBy: null,
    faults: [expect.stringContaining('which ops has not added')],
  });
});

it('needs an SBOM that it names', () => {
  const judge = (text: string | null, named: string | null = text) => {
    const { envelope } = attest({ ...release, sbom: named === null ? null : Buffer.from(named) }, source, own);
    return judgeAttestation(release, { envelope, sbom: text }, keys);
  };
  expect(judge('{"bomFormat":"CycloneDX"}')).toMatchObject({ packages: 0, faults: [] });
  const missing = [expect.stringContaining('has no SBOM')];
  expect(judge(String(sbom), null)).toMatchObject({ packages: 1, faults: missing });
  expect(judge(null, String(sbom))).toMatchObject({ packages: null, faults: missing });
  for (const other of ['{"bomFormat":"SPDX","components":[]}', '{"bomFormat":"CycloneDX","components":{}}', '{'])
    expect(judge(other)).toMatchObject({ packages: null, faults: missing });
  expect(judge('{"bomFormat":"CycloneDX"}', String(sbom)).faults).toEqual([
    expect.stringContaining('not the one that the provenance names'),
  ]);
  expect(judgeAttestation({ name: 'catalog', raw: null }, signed, keys).faults).toEqual([
    expect.stringContaining('release.json is not the one'),
  ]);
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
