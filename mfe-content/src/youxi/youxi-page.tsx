import { linkTo } from '@shop/shared/links';
import { Link } from '@shop/shared/router';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Icon, IconButton, type IconName } from '@shop/shared/ui';
import { useEffect } from 'react';
import { useTexts } from '../texts';
import { YouxiArt } from './youxi-art';
import './youxi.css';

const points = [
  { icon: 'bolt', title: 'youxi.fast', text: 'youxi.fastText' },
  { icon: 'card', title: 'youxi.safe', text: 'youxi.safeText' },
  { icon: 'shield', title: 'youxi.care', text: 'youxi.careText' },
] as const satisfies ReadonlyArray<{ icon: IconName; title: string; text: string }>;

/** A landing page without the layout and without API calls. */
export const Component = observer(function YouxiPage() {
  const { t } = useTexts();
  const session = useSession();
  const title = t('youxi.documentTitle');
  // The layout, which sets the title elsewhere, is not used here.
  useEffect(() => {
    document.title = title;
  }, [title]);
  const dark = session.theme === 'dark';

  return (
    <div className="content-youxi">
      <header className="content-youxi__bar ui-row ui-gap-1">
        <Link to={linkTo('home')} className="content-youxi__brand">
          <Icon name="star" /> {t('youxi.brand')}
        </Link>
        <IconButton
          icon={dark ? 'sun' : 'moon'}
          label={t(dark ? 'youxi.light' : 'youxi.dark')}
          onClick={() => session.setTheme(dark ? 'light' : 'dark')}
        />
        <Button
          kind="ghost"
          size="s"
          icon="globe"
          onClick={() => session.setLanguage(session.language === 'en' ? 'zh-CN' : 'en')}
        >
          {t('youxi.otherLanguage')}
        </Button>
      </header>
      <main className="content-youxi__main">
        <div className="content-youxi__hero">
          <YouxiArt />
          <div className="ui-stack ui-gap-4">
            <h1 className="content-youxi__title">{t('youxi.heading')}</h1>
            <p className="content-youxi__lead">{t('youxi.lead')}</p>
            <div className="content-youxi__ways ui-row ui-wrap">
              <Button size="l" to={linkTo('home')} icon="games">
                {t('youxi.enter')}
              </Button>
              <Button size="l" kind="secondary" to={linkTo('goods-list')}>
                {t('youxi.browse')}
              </Button>
            </div>
          </div>
        </div>
        <section aria-labelledby="content-youxi-points">
          <h2 id="content-youxi-points" className="content-youxi__heading">
            {t('youxi.points')}
          </h2>
          <ul className="content-youxi__points ui-stack">
            {points.map(({ icon, title: name, text }) => (
              <li key={name} className="content-youxi__point">
                <span className="content-youxi__icon">
                  <Icon name={icon} />
                </span>
                <h3>{t(name)}</h3>
                <p>{t(text)}</p>
              </li>
            ))}
          </ul>
        </section>
      </main>
      <footer className="content-youxi__foot">
        <nav aria-label={t('youxi.terms')}>
          <Link to={linkTo('agreement')}>{t('article.agreement')}</Link>
          <Link to={linkTo('privacy')}>{t('article.privacy')}</Link>
          <Link to={linkTo('guide')}>{t('article.guide')}</Link>
        </nav>
      </footer>
    </div>
  );
});
