import { identifierBody } from '@shop/shared/domain/mask-phone';
import { type Proof, ProofForm, type ProofWay } from '@shop/shared/forms';
import { post } from '@shop/shared/http';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button } from '@shop/shared/ui';
import { useTexts } from '../texts';

const sendCode = (to: string) =>
  post('/api/front/app/send_code', { ...identifierBody(to), scene: 'account' }, { quiet: true });

export const OwnProof = observer(function OwnProof(props: {
  label: string;
  submitText: string;
  kind?: 'danger';
  onProof: (proof: Partial<Proof>) => Promise<unknown>;
}) {
  const { t } = useTexts();
  const session = useSession();
  const { hasPassword, phone, signInEmail } = session.user ?? {};
  const identifier = phone || signInEmail || '';
  const [first, ...others]: ProofWay[] = [
    ...(hasPassword ? ['password' as const] : []),
    ...(identifier ? ['verify' as const] : []),
  ];
  return first ? (
    <ProofForm ways={[first, ...others]} phone={identifier} purpose="account" sendCode={sendCode} {...props} />
  ) : (
    <div className="ui-stack ui-gap-4">
      <p className="ui-muted">{t('privacy.noProof')}</p>
      <Button kind="secondary" icon="support" onClick={() => session.openSupport()}>
        {t('centre.support')}
      </Button>
    </div>
  );
});
