import { useTranslation } from '@shop/shared/i18n';
import { Button, Empty, VisuallyHidden } from '@shop/shared/ui';
import type { ReactNode } from 'react';

export function NotFoundPage(): ReactNode {
  const { t } = useTranslation('shell');
  return (
    <>
      <VisuallyHidden>
        <h1>{t('notFound.title')}</h1>
      </VisuallyHidden>
      <Empty
        art="search"
        title={t('notFound.title')}
        description={t('notFound.text')}
        action={<Button to="/home">{t('notFound.home')}</Button>}
      />
    </>
  );
}
