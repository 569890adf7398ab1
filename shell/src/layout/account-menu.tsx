import { localText } from '@platform/releases/contract';
import { formatMoney } from '@shop/shared/money';
import { Link } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Icon, type IconName } from '@shop/shared/ui';
import { routeOf } from '../guard/guard';
import { useShell } from '../shell-context';
import { useTexts } from './account-texts';
import { tabsOf } from './tab-bar';

export const AccountMenu = observer(function AccountMenu({ id, onClose }: { id: string; onClose: () => void }) {
  const { t, language } = useTexts();
  const { session, preferences, releases } = useShell();
  const { user } = session;
  const entries = [...tabsOf(releases.contracts), ...releases.contracts.flatMap((contract) => contract.drawer ?? [])]
    .filter((entry, index, all) => all.findIndex((other) => other.path === entry.path) === index)
    .filter((entry) => routeOf(releases.routes, entry.path)?.flags?.requiresLogin);
  const signOut = () => {
    onClose();
    void session.logout();
  };
  return (
    // Focusable, so that a click between the entries does not close it.
    <nav id={id} tabIndex={-1} className="shell-profile__menu" aria-label={t('account.menu')}>
      {user && (
        <p className="shell-profile__who ui-stack ui-gap-1">
          <strong>{user.nickname}</strong>
          <span className="ui-row ui-spread ui-muted">
            {t('account.balance')}
            <b translate="no">{formatMoney(user.balances[preferences.currency], preferences.currency)}</b>
          </span>
        </p>
      )}
      {entries.map((entry) => (
        <Link key={entry.path} to={entry.path} className="ui-row" onClick={onClose}>
          <Icon name={entry.icon as IconName} size={20} />
          {localText(entry.label, language)}
        </Link>
      ))}
      <button type="button" className="ui-row" onClick={signOut}>
        <Icon name="logout" size={20} />
        {t('account.signOut')}
      </button>
    </nav>
  );
});
