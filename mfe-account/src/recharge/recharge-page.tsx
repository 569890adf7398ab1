import '../account.css';
import './recharge.css';
import { prefetch, useQuery } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { Button, Empty, PageBody, Waiting } from '@shop/shared/ui';
import { rechargeMethodsQuery, rechargeOptionsQuery } from '../account.queries';
import { useTexts } from '../texts';
import { RechargeForm } from './recharge-form';

export function loader(): null {
  prefetch(rechargeOptionsQuery);
  prefetch(rechargeMethodsQuery);
  return null;
}

export function Component() {
  const { t } = useTexts();
  const options = useQuery(rechargeOptionsQuery);
  const methods = useQuery(rechargeMethodsQuery);
  const session = useSession();
  const refetch = () => Promise.allSettled([options.refetch(), methods.refetch()]);
  if (options.data && methods.data) {
    return methods.data.length > 0 ? (
      <RechargeForm key={options.data.currency} options={options.data} methods={methods.data} />
    ) : (
      <PageBody narrow>
        <Empty
          art="wallet"
          title={t('recharge.noMethod')}
          description={t('recharge.noMethodHint')}
          action={<Button onClick={() => session.openSupport()}>{t('centre.support')}</Button>}
        />
      </PageBody>
    );
  }
  return (
    <PageBody narrow>
      <Waiting query={{ error: options.error ?? methods.error, refetch }} heights={[280, 180]} />
    </PageBody>
  );
}
