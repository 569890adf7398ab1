import { useTranslation } from '@shop/shared/i18n';
import { NavLink } from '@shop/shared/router';
import { localText } from '@shop/shared/routing';
import { observer } from '@shop/shared/state';
import { Icon, type IconName } from '@shop/shared/ui';
import { useShell } from '../app/shell-context';

/** The bottom tabs, from the remotes' contracts; a sidebar-like row in the header on a desktop. */
export const TabBar = observer(function TabBar() {
  const { t, language } = useTranslation('shell');
  const { releases } = useShell();
  const tabs = releases.contracts
    .flatMap((contract) => contract.tabBar ?? [])
    .sort((left, right) => left.order - right.order);
  return (
    <nav className="shell-tab-bar" aria-label={t('mainNavigation')}>
      {tabs.map((tab) => (
        <NavLink key={tab.path} to={tab.path} end className="shell-tab-bar__item">
          <Icon name={tab.icon as IconName} />
          <span>{localText(tab.label, language)}</span>
        </NavLink>
      ))}
    </nav>
  );
});
