import './tab-bar.css';
import { localText, type NavigationEntry, type RemoteContract } from '@platform/releases/contract';
import { NavLink } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Badge, classNames, Icon, type IconName } from '@shop/shared/ui';
import { useShell } from '../shell-context';
import { useTexts } from '../texts';

/** The entries of all remotes, in their order. */
export function entriesOf(contracts: readonly RemoteContract[], place: 'tabBar' | 'drawer'): NavigationEntry[] {
  return contracts.flatMap((contract) => contract[place] ?? []).sort((left, right) => left.order - right.order);
}

/** On a phone at the bottom edge of the pages that have it; on a desktop in the header of each page. */
export const TabBar = observer(function TabBar({ onPhone }: { onPhone: boolean }) {
  const { t, language } = useTexts();
  const { releases, session } = useShell();
  return (
    <nav className={classNames('shell-tab-bar', !onPhone && 'shell-desktop')} aria-label={t('mainNavigation')}>
      {entriesOf(releases.contracts, 'tabBar').map((tab) => (
        <NavLink key={tab.path} to={tab.path} end className="shell-tab-bar__item">
          <Icon name={tab.icon as IconName} />
          <span>{localText(tab.label, language)}</span>
          {tab.count && <Badge count={session.user?.[tab.count]} label={t('unread')} />}
        </NavLink>
      ))}
    </nav>
  );
});
