/**
 * Signed envelopes by DSSE (https://github.com/secure-systems-lab/dsse), with Ed25519: of what a publisher says of a release, and of
 * the record of a channel.
 */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { keyIdOf } from './ed25519';

export interface Signature {
  keyid: string;
  /** Base64. */
  sig: string;
}

export interface Envelope {
  payloadType: string;
  /** Base64. */
  payload: string;
  /** None for what nobody has signed, which DSSE itself has no form for. */
  signatures: Signature[];
}

/** What a signature is of: the type and the bytes with their lengths, so that neither can pass for a part of the other. */
function preAuthEncoding({ payloadType, payload }: Envelope): Buffer {
  const content = Buffer.from(payload, 'base64');
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${content.length} `;
  return Buffer.concat([Buffer.from(head), content]);
}

export function sealEnvelope(payloadType: string, content: string, key?: KeyObject): Envelope {
  const envelope: Envelope = { payloadType, payload: Buffer.from(content).toString('base64'), signatures: [] };
  if (!key) return envelope;
  const sig = sign(null, preAuthEncoding(envelope), key).toString('base64');
  return { ...envelope, signatures: [{ keyid: keyIdOf(createPublicKey(key)), sig }] };
}

export const isSignedBy = (envelope: Envelope, { keyid, sig }: Signature, key: KeyObject): boolean =>
  keyid === keyIdOf(key) && verify(null, preAuthEncoding(envelope), key, Buffer.from(sig, 'base64'));
