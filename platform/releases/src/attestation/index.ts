export { type Attestation, attest, SBOM_FILE } from './attestation';
export { type AttestationSummary, judgeAttestation } from './judge';
export { makeSigningKey, readPrivateKey, type SigningKey, SigningKeys } from './signing-keys';
