import { RedeemSteps as Steps } from '@shop/shared/payment';
import { Card } from '@shop/shared/ui';
import { useTexts } from '../texts';

/** Where and how to use what is bought. */
export function RedeemSteps({ steps }: { steps: string[] }) {
  const { t } = useTexts();
  if (steps.length === 0) return null;
  return (
    <Card padding="none">
      <details className="catalog-redeem">
        <summary>{t('goodsDetail.redeem')}</summary>
        <Steps steps={steps} />
      </details>
    </Card>
  );
}
