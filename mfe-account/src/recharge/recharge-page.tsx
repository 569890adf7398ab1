import '../account.css';
import './recharge.css';
import { getQuery } from '@shop/shared/http';
import { prefetch, useQuery } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { Button, Empty, PageBody, Waiting } from '@shop/shared/ui';
import { useTexts } from '../texts';
import { RechargeForm } from './recharge-form';

const optionsQuery = getQuery('/api/front/recharge/options', ['account', 'recharge-options']);
const methodsQuery = getQuery('/api/front/payment/methods', ['account', 'recharge-methods'], { scene: 'recharge' });

export function loader(): void {
  prefetch(optionsQuery);
  prefetch(methodsQuery);
}

export function Component() {
  const { t } = useTexts();
  const options = useQuery(optionsQuery);
  const methods = useQuery(methodsQuery);
  const session = useSession();
  const refetch = () => Promise.allSettled([options.refetch(), methods.refetch()]);
  if (options.data && methods.data?.length)
    return <RechargeForm key={options.data.currency} options={options.data} methods={methods.data} />;
  return (
    <PageBody narrow>
      {options.data && methods.data ? (
        <Empty
          art="wallet"
          title={t('recharge.noMethod')}
          description={t('recharge.noMethodHint')}
          action={<Button onClick={() => session.openSupport()}>{t('centre.support')}</Button>}
        />
      ) : (
        <Waiting query={{ error: options.error ?? methods.error, refetch }} heights={[280, 180]} />
      )}
    </PageBody>
  );
}
