export { type RecordSigner, recordSigner } from './signer';
