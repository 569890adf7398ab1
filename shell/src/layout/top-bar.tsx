import { useTranslation } from '@shop/shared/i18n';
import { Link, NavLink, useNavigate } from '@shop/shared/router';
import { localText, type RouteFlags } from '@shop/shared/routing';
import { observer } from '@shop/shared/state';
import { Icon, IconButton } from '@shop/shared/ui';
import { useEffect, useState } from 'react';
import { useShell } from '../app/shell-context';
import type { ContractRoute } from '../releases/releases.store';

/** A transparent bar becomes opaque at this scroll position (specification, section 2). */
const opaqueFromPx = 40;

export const TopBar = observer(function TopBar({ route, flags }: { route: ContractRoute | null; flags: RouteFlags }) {
  const { t, language } = useTranslation('shell');
  const { session, layout, releases } = useShell();
  const navigate = useNavigate();
  const scrolled = useScrolledPast(opaqueFromPx);
  const opaque = !flags.transparent || scrolled;
  const tabs = releases.contracts
    .flatMap((contract) => contract.tabBar ?? [])
    .sort((left, right) => left.order - right.order);
  const back = () => {
    // Opened at this very page: there is nothing to go back to.
    if (window.history.state?.idx > 0) void navigate(-1);
    else void navigate('/home', { replace: true });
  };
  const title = route && flags.showTitle ? localText(route.title, language) : '';

  return (
    <header
      className={`shell-top-bar${flags.fixed ? ' shell-top-bar--fixed' : ''}${opaque ? '' : ' shell-top-bar--transparent'}`}
    >
      <div className="shell-top-bar__inner">
        {flags.back ? (
          <IconButton icon="back" label={t('back')} onClick={back} />
        ) : (
          <IconButton icon="menu" label={t('openMenu')} onClick={layout.openDrawer} />
        )}
        <Link to="/home" className={`shell-top-bar__brand${title ? ' shell-top-bar__brand--desktop' : ''}`}>
          <Icon name="star" /> {t('brand')}
        </Link>
        {title && <h1 className="shell-top-bar__title">{title}</h1>}
        <nav className="shell-top-bar__links" aria-label={t('mainNavigation')}>
          {tabs.map((tab) => (
            <NavLink key={tab.path} to={tab.path} end>
              {localText(tab.label, language)}
            </NavLink>
          ))}
        </nav>
        <div className="shell-top-bar__actions">
          {flags.search && (
            <Link to="/search" className="shell-top-bar__search" aria-label={t('search')}>
              <Icon name="search" />
            </Link>
          )}
          <span className="shell-top-bar__desktop-actions">
            <IconButton
              icon={session.theme === 'dark' ? 'sun' : 'moon'}
              label={t(session.theme === 'dark' ? 'theme.toLight' : 'theme.toDark')}
              onClick={() => session.setTheme(session.theme === 'dark' ? 'light' : 'dark')}
            />
            <IconButton
              icon="globe"
              label={t('languageSwitch')}
              onClick={() => session.setLanguage(language === 'en' ? 'zh-CN' : 'en')}
            />
          </span>
        </div>
      </div>
    </header>
  );
});

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
