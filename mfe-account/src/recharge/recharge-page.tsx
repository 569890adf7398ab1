import '../account.css';
import './recharge.css';
import { get } from '@shop/shared/http';
import { prefetch, queryOptions, useQuery } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { Button, Empty, PageBody, Waiting } from '@shop/shared/ui';
import { useTexts } from '../texts';
import { RechargeForm } from './recharge-form';

const rechargeOptionsQuery = queryOptions({
  queryKey: ['account', 'recharge-options'],
  queryFn: () => get('/api/front/recharge/options', undefined, { quiet: true }),
});

const rechargeMethodsQuery = queryOptions({
  queryKey: ['account', 'recharge-methods'],
  queryFn: () => get('/api/front/payment/methods', { scene: 'recharge' }, { quiet: true }),
});

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
