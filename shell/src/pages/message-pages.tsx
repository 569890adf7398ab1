import { linkTo } from '@shop/shared/links';
import { Button, Empty, type EmptyProps, VisuallyHidden } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { useTexts } from '../texts';

function MessagePage(message: Pick<EmptyProps, 'art' | 'title' | 'description'>): ReactNode {
  const { t } = useTexts();
  return (
    <>
      <VisuallyHidden as="h1">{message.title}</VisuallyHidden>
      <Empty {...message} action={<Button to={linkTo('home')}>{t('notFound.home')}</Button>} />
    </>
  );
}

export function NotFoundPage(): ReactNode {
  const { t } = useTexts();
  return <MessagePage art="search" title={t('notFound.title')} description={t('notFound.text')} />;
}

export function ForbiddenPage(): ReactNode {
  const { t } = useTexts();
  return <MessagePage art="box" title={t('forbidden')} />;
}
