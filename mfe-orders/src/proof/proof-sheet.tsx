import { ProofForm } from '@shop/shared/forms';
import { Sheet } from '@shop/shared/ui';
import type { ComponentProps } from 'react';
import { useTexts } from '../texts';

interface ProofSheetProps extends Omit<ComponentProps<typeof ProofForm>, 'children'> {
  open: boolean;
  onClose: () => void;
  purpose: 'cards' | 'wallet';
  reason?: string;
}

export function ProofSheet({ open, onClose, reason, ...form }: ProofSheetProps) {
  const { t } = useTexts();
  return (
    <Sheet open={open} onClose={onClose} title={t('proof.title')}>
      {reason && <p className="orders-proof__reason">{reason}</p>}
      <ProofForm {...form}>
        <p>{t(form.purpose === 'cards' ? 'proof.signInForCards' : 'proof.signInAgain')}</p>
      </ProofForm>
    </Sheet>
  );
}
