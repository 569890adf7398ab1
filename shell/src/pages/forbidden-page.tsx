import { linkTo } from '@shop/shared/links';
import { Button, Empty, VisuallyHidden } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { useTexts } from '../texts';

export function ForbiddenPage(): ReactNode {
  const { t } = useTexts();
  return (
    <>
      <VisuallyHidden>
        <h1>{t('forbidden.title')}</h1>
      </VisuallyHidden>
      <Empty
        art="box"
        title={t('forbidden.title')}
        description={t('forbidden.text')}
        action={<Button to={linkTo('home')}>{t('forbidden.home')}</Button>}
      />
    </>
  );
}
