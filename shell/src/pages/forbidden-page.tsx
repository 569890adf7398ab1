import { linkTo } from '@shop/shared/links';
import { Button, Empty, VisuallyHidden } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { useTexts } from '../texts';

export function ForbiddenPage(): ReactNode {
  const { t } = useTexts();
  return (
    <>
      <VisuallyHidden>
        <h1>{t('forbidden')}</h1>
      </VisuallyHidden>
      <Empty art="box" title={t('forbidden')} action={<Button to={linkTo('home')}>{t('notFound.home')}</Button>} />
    </>
  );
}
