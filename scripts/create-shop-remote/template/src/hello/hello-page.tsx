import { linkTo } from '@shop/shared/links';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, PageBody } from '@shop/shared/ui';
import { useTexts } from '../texts';
import './hello.css';

export const Component = observer(function HelloPage() {
  const { t } = useTexts();
  const { user } = useSession();
  return (
    <PageBody narrow>
      <section className="__name__-hello">
        <h2>{t('hello.title', { name: user?.nickname || t('hello.guest') })}</h2>
        <p>{t('hello.text')}</p>
        <Button to={linkTo('home')}>{t('hello.home')}</Button>
      </section>
    </PageBody>
  );
});
