import { useTranslation } from '@shop/shared/i18n';
import { Button, Empty, VisuallyHidden } from '@shop/shared/ui';
import type { ReactNode } from 'react';

export function ForbiddenPage(): ReactNode {
  const { t } = useTranslation('shell');
  return (
    <>
      <VisuallyHidden>
        <h1>{t('forbidden.title')}</h1>
      </VisuallyHidden>
      <Empty
        art="box"
        title={t('forbidden.title')}
        description={t('forbidden.text')}
        action={<Button to="/home">{t('forbidden.home')}</Button>}
      />
    </>
  );
}
