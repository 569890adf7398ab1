import './footer.css';
import { localText } from '@platform/releases/contract';
import { Link } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { useShell } from '../shell-context';
import { useTexts } from '../texts';
import { useMenuTexts } from './menu-texts';
import { titleOf } from './route-title';
import { SocialLinks } from './social-links';
import { entriesOf } from './tab-bar';

/** Desktop only: on a phone the same entries are in the drawer. */
const Footer = observer(function Footer() {
  const { t, language } = useTexts();
  const { t: menuText } = useMenuTexts();
  const { overlays, appConfig, releases } = useShell();
  const articles = releases.routes.filter(({ path }) => path.startsWith('/article/') && !path.includes(':'));
  const entries = entriesOf(releases.contracts, 'drawer');
  return (
    <footer className="shell-footer shell-desktop ui-muted">
      <div className="shell-footer__inner">
        <p className="shell-footer__brand">{t('brand')}</p>
        <nav aria-label={menuText('menu.title')} className="shell-footer__links">
          {entries.map((entry) => (
            <Link key={entry.path} to={entry.path}>
              {localText(entry.label, language)}
            </Link>
          ))}
          <button type="button" onClick={overlays.openSupport}>
            {menuText('menu.support')}
          </button>
        </nav>
        <nav aria-label={menuText('menu.articles')} className="shell-footer__links">
          {articles.map((route) => (
            <Link key={route.path} to={route.path}>
              {titleOf(route, language)}
            </Link>
          ))}
        </nav>
        <SocialLinks networks={appConfig.value?.social ?? []} label={menuText('menu.follow')} />
      </div>
      <p className="shell-footer__legal">
        {appConfig.value?.copyright} {appConfig.value?.icp}
      </p>
    </footer>
  );
});
export default Footer;
