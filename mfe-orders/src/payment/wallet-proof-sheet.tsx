import type { WalletProofRequest } from '@shop/shared/domain';
import { useState } from 'react';
import { ProofSheet } from '../proof/proof-sheet';
import { useTexts } from '../texts';
import { proveForWallet } from './payment.api';

/** Asks who pays while there is a request; the payment waits for the answer. */
export function WalletProofSheet(props: { request: WalletProofRequest | null; onAnswer: (isProved: boolean) => void }) {
  const { t } = useTexts();
  // Keeps its texts while it closes.
  const [request, setRequest] = useState(props.request);
  if (props.request && props.request !== request) setRequest(props.request);
  if (!request) return null;
  return (
    <ProofSheet
      open={props.request !== null}
      onClose={() => props.onAnswer(false)}
      ways={request.proofs}
      purpose="wallet"
      reason={t(`proof.${request.reason}`)}
      submitText={t('proof.confirmPay')}
      onProof={async (proof) => {
        await proveForWallet(proof);
        props.onAnswer(true);
      }}
    />
  );
}
