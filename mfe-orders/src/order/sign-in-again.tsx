import { useLocation } from '@shop/shared/router';
import { useSession } from '@shop/shared/session';
import { Button, Empty } from '@shop/shared/ui';
import { useTexts } from '../texts';

export function SignInAgain() {
  const { t } = useTexts();
  const session = useSession();
  const { pathname, search } = useLocation();
  return (
    <Empty
      art="orders"
      title={t('signIn.title')}
      description={t('signIn.text')}
      action={<Button onClick={() => session.openLogin(pathname + search)}>{t('signIn.action')}</Button>}
    />
  );
}
