import { localText, type NavigationEntry } from '@platform/releases/contract';
import { get } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { queryOptions, useQuery } from '@shop/shared/query';
import { NavLink } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Icon, type IconName, Sheet } from '@shop/shared/ui';
import { useShell } from '../shell-context';
import { useTexts } from '../texts';
import { useMenuTexts } from './menu-texts';
import { SocialLinks } from './social-links';
import { entriesOf } from './tab-bar';
import './drawer.css';

const articlesQuery = queryOptions({
  queryKey: ['shell', 'articles'],
  queryFn: () => get('/api/front/article/all', undefined, { quiet: true }),
});

/** Place of "contact support" among the remotes' entries (docs/product.md#layout). */
const supportOrder = 30;

const Drawer = observer(function Drawer() {
  const { t, language } = useTexts();
  const { t: menuText } = useMenuTexts();
  const { overlays, preferences, appConfig, releases } = useShell();
  const social = appConfig.value?.social ?? [];
  const { data: articles } = useQuery({ ...articlesQuery, enabled: overlays.drawerVisible });
  const entries = entriesOf(releases.contracts, 'drawer');
  const openSupport = () => {
    overlays.closeDrawer();
    overlays.openSupport();
  };
  const entryLink = (entry: NavigationEntry) => (
    <NavLink key={entry.path} to={entry.path} end className="shell-drawer__item ui-row" onClick={overlays.closeDrawer}>
      <Icon name={entry.icon as IconName} />
      {localText(entry.label, language)}
    </NavLink>
  );

  return (
    <Sheet open={overlays.drawerVisible} onClose={overlays.closeDrawer} title={menuText('menu.title')} side="left">
      <nav className="shell-drawer" aria-label={menuText('menu.title')}>
        {entries.filter(({ order }) => order < supportOrder).map(entryLink)}
        <button type="button" className="shell-drawer__item ui-row" onClick={openSupport}>
          <Icon name="support" />
          {menuText('menu.support')}
        </button>
        {entries.filter(({ order }) => order >= supportOrder).map(entryLink)}
        <button type="button" className="shell-drawer__item ui-row" onClick={preferences.toggleTheme}>
          <Icon name={preferences.theme === 'dark' ? 'sun' : 'moon'} />
          {t(preferences.theme === 'dark' ? 'theme.toLight' : 'theme.toDark')}
        </button>
        <button type="button" className="shell-drawer__item ui-row" onClick={preferences.toggleLanguage}>
          <Icon name="globe" />
          {t('languageSwitch')}
        </button>
        {social.length > 0 && <h3 className="shell-drawer__heading">{menuText('menu.follow')}</h3>}
        <SocialLinks networks={social} />
        <h3 className="shell-drawer__heading">{menuText('menu.articles')}</h3>
        {(articles ?? []).map((article) => (
          <NavLink
            key={article.id}
            to={linkTo('article', { id: article.id })}
            className="shell-drawer__item shell-drawer__item--small ui-row ui-muted"
            onClick={overlays.closeDrawer}
          >
            {article.title}
          </NavLink>
        ))}
        <p className="shell-drawer__legal">
          {appConfig.value?.copyright} {appConfig.value?.icp}
        </p>
      </nav>
    </Sheet>
  );
});
export default Drawer;
