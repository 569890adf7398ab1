import { linkTo } from '@shop/shared/links';
import { Button, Empty, VisuallyHidden } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { useTexts } from '../texts';

export function NotFoundPage(): ReactNode {
  const { t } = useTexts();
  return (
    <>
      <VisuallyHidden>
        <h1>{t('notFound.title')}</h1>
      </VisuallyHidden>
      <Empty
        art="search"
        title={t('notFound.title')}
        description={t('notFound.text')}
        action={<Button to={linkTo('home')}>{t('notFound.home')}</Button>}
      />
    </>
  );
}
