import { identifierBody } from '@shop/shared/domain/mask-phone';
import { type Proof, ProofForm, type ProofWay } from '@shop/shared/forms';
import { post } from '@shop/shared/http';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Sheet } from '@shop/shared/ui';
import { useTexts } from '../texts';

interface ProofSheetProps {
  open: boolean;
  onClose: () => void;
  ways: ProofWay[];
  purpose: 'cards' | 'wallet';
  reason?: string;
  submitText: string;
  onProof: (proof: Partial<Proof>) => Promise<void>;
}

export const ProofSheet = observer(function ProofSheet(props: ProofSheetProps) {
  const { purpose, submitText, onProof } = props;
  const [first, ...others] = props.ways;
  const { t } = useTexts();
  const { user } = useSession();
  return (
    <Sheet open={props.open} onClose={props.onClose} title={t('proof.title')}>
      {props.reason && <p className="orders-proof__reason">{props.reason}</p>}
      {first ? (
        <ProofForm
          ways={[first, ...others]}
          phone={user?.phone || user?.signInEmail || ''}
          sendCode={(to) =>
            post('/api/front/app/send_code', { ...identifierBody(to), scene: purpose }, { quiet: true })
          }
          purpose={purpose}
          submitText={submitText}
          onProof={onProof}
        />
      ) : (
        <p>{t(purpose === 'cards' ? 'proof.signInForCards' : 'proof.signInAgain')}</p>
      )}
    </Sheet>
  );
});
