import { useTranslation } from '@shop/shared/i18n';
import { Button, Empty } from '@shop/shared/ui';
import type { ReactNode } from 'react';

export function ForbiddenPage(): ReactNode {
  const { t } = useTranslation('shell');
  return (
    <Empty
      art="box"
      title={t('forbidden.title')}
      description={t('forbidden.text')}
      action={<Button to="/home">{t('forbidden.home')}</Button>}
    />
  );
}
