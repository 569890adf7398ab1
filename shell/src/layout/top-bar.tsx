import './top-bar.css';
import { localText, type RouteFlags } from '@shop/release/contract';
import type { Language } from '@shop/shared/domain';
import { Link, NavLink, useNavigate } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Button, classNames, Icon, IconButton } from '@shop/shared/ui';
import { type ReactNode, useEffect, useState } from 'react';
import type { ContractRoute } from '../releases/releases.store';
import { useShell } from '../shell-context';
import { t, useTexts } from '../texts';
import { tabsOf } from './tab-bar';
import { useDesktop } from './use-desktop';

/** A transparent bar becomes opaque at this scroll position (specification, section 2). */
const opaqueFromPx = 40;
/** In characters; a longer title does not fit two lines of the normal size on a 320 px phone. */
const longTitleLength = 32;

export const TopBar = observer(function TopBar({ route, flags }: { route: ContractRoute | null; flags: RouteFlags }) {
  const { t, language } = useTexts();
  const { session, preferences, overlays, releases } = useShell();
  const desktop = useDesktop();
  const scrolled = useScrolledPast(opaqueFromPx);
  const back = useBack();
  const opaque = !flags.transparent || scrolled;
  const title = !desktop && route && flags.showTitle ? titleOf(route, language) : '';
  const withSearch = desktop ? route?.path !== '/search' : flags.search;

  return (
    <header
      className={`shell-top-bar${flags.fixed ? ' shell-top-bar--fixed' : ''}${opaque ? '' : ' shell-top-bar--transparent'}`}
    >
      <div className="shell-top-bar__inner">
        {flags.back && !desktop ? (
          <IconButton icon="back" label={t('back')} onClick={back} />
        ) : (
          <IconButton icon="menu" label={t('openMenu')} aria-haspopup="dialog" onClick={overlays.openDrawer} />
        )}
        {title ? (
          <h1
            className={classNames(
              'shell-top-bar__title',
              title.length > longTitleLength && 'shell-top-bar__title--long',
            )}
          >
            <span>{title}</span>
          </h1>
        ) : (
          <Link to="/home" className="shell-top-bar__brand">
            <span className="shell-top-bar__mark">
              <Icon name="star" size={18} />
            </span>
            {t('brand')}
          </Link>
        )}
        {desktop && (
          <nav className="shell-top-bar__links" aria-label={t('mainNavigation')}>
            {tabsOf(releases.contracts).map((tab) => (
              <NavLink key={tab.path} to={tab.path} end>
                {localText(tab.label, language)}
              </NavLink>
            ))}
          </nav>
        )}
        <div className="shell-top-bar__actions">
          {withSearch && (
            <Link to="/search" className="shell-top-bar__search" aria-label={t('search')}>
              <Icon name="search" />
              {desktop && <span aria-hidden="true">{t('search')}</span>}
            </Link>
          )}
          {desktop && (
            <>
              <IconButton
                icon={preferences.theme === 'dark' ? 'sun' : 'moon'}
                label={t(preferences.theme === 'dark' ? 'theme.toLight' : 'theme.toDark')}
                onClick={preferences.toggleTheme}
              />
              <IconButton icon="globe" label={t('languageSwitch')} onClick={preferences.toggleLanguage} />
              {!session.hasToken && (
                <Button size="s" onClick={() => overlays.openLogin()}>
                  {t('login.title')}
                </Button>
              )}
            </>
          )}
        </div>
      </div>
    </header>
  );
});

/** Desktop only: back button and title above the page. */
export function PageHead({ route, flags }: { route: ContractRoute | null; flags: RouteFlags }): ReactNode {
  const { t, language } = useTexts();
  const desktop = useDesktop();
  const back = useBack();
  if (!desktop || (!flags.back && !flags.showTitle)) return null;
  return (
    <div className="shell-page-head">
      {flags.back && <IconButton icon="back" label={t('back')} onClick={back} />}
      {route && flags.showTitle && <h1 className="shell-page-head__title">{titleOf(route, language)}</h1>}
    </div>
  );
}

/** Goes home when the history has no earlier entry of this tab. */
function useBack(): () => void {
  const navigate = useNavigate();
  return () => {
    if (window.history.state?.idx > 0) void navigate(-1);
    else void navigate('/home', { replace: true });
  };
}

/** The title without the brand, which some contracts append for the browser tab. */
export function titleOf(route: ContractRoute, language: Language): string {
  return localText(route.title, language).replace(` - ${t('brand', { lng: language })}`, '');
}

function useScrolledPast(position: number): boolean {
  const [past, setPast] = useState(false);
  useEffect(() => {
    const check = () => setPast(window.scrollY >= position);
    check();
    window.addEventListener('scroll', check, { passive: true });
    return () => window.removeEventListener('scroll', check);
  }, [position]);
  return past;
}
