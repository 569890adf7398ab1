import { linkTo } from '@shop/shared/links';
import { Link } from '@shop/shared/router';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Icon, IconButton } from '@shop/shared/ui';
import { useEffect } from 'react';
import { useTexts } from '../texts';
import './youxi.css';

/** The picture uses the theme's art colours, so that it follows the theme. */
function YouxiArt() {
  return (
    <svg className="ui-art content-youxi__art" viewBox="0 0 360 300" width="360" height="300" aria-hidden="true">
      <circle className="a1" cx="180" cy="150" r="140" />
      <g transform="rotate(-14 110 110)">
        <rect className="a4 edge" x="52" y="52" width="112" height="150" rx="16" />
        <path className="a2" d="M68 72h48v10H68zM68 92h80v60H68z" />
      </g>
      <g transform="rotate(12 262 108)">
        <rect className="a4 edge" x="206" y="44" width="112" height="150" rx="16" />
        <path className="a2" d="M222 64h60v10h-60z" />
        <path className="a3" d="m262 92 9 19 21 3-15 15 4 21-19-10-19 10 4-21-15-15 21-3z" />
      </g>
      <path
        className="a3"
        d="M118 144h124c34 0 54 22 61 56l9 44c5 27-29 40-45 18l-24-34H117l-24 34c-16 22-50 9-45-18l9-44c7-34 27-56 61-56z"
      />
      <path className="a4" d="M112 170h16v18h18v16h-18v18h-16v-18H94v-16h18z" />
      <circle className="a4" cx="226" cy="196" r="11" />
      <circle className="a4" cx="262" cy="196" r="11" />
      <circle className="a4" cx="244" cy="178" r="11" />
      <circle className="a4" cx="244" cy="214" r="11" />
      <path className="a3" d="m42 40 5 13 13 5-13 5-5 13-5-13-13-5 13-5zM330 226l4 10 10 4-10 4-4 10-4-10-10-4 10-4z" />
    </svg>
  );
}

export const Component = observer(function YouxiPage() {
  const { t } = useTexts();
  const session = useSession();
  const title = t('youxi.documentTitle');
  // The layout sets the title elsewhere; this page has no layout.
  useEffect(() => {
    document.title = title;
  }, [title]);
  const dark = session.theme === 'dark';

  return (
    <div className="content-youxi">
      <header className="content-youxi__bar ui-row ui-gap-1">
        <Link to={linkTo('home')} className="content-youxi__brand ui-row ui-gap-1">
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
      </main>
      <footer className="content-youxi__foot">
        <nav className="ui-row ui-wrap" aria-label={t('youxi.terms')}>
          <Link to={linkTo('agreement')}>{t('article.agreement')}</Link>
          <Link to={linkTo('privacy')}>{t('article.privacy')}</Link>
          <Link to={linkTo('guide')}>{t('article.guide')}</Link>
        </nav>
      </footer>
    </div>
  );
});
