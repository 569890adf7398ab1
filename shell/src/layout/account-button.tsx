import './account-button.css';
import { localText } from '@platform/releases/contract';
import { formatMoney } from '@shop/shared/money';
import { Link } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Icon, type IconName } from '@shop/shared/ui';
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { routeOf } from '../guard/guard';
import { useShell } from '../shell-context';
import { useTexts } from './account-texts';
import { tabsOf } from './tab-bar';

const AccountMenu = observer(function AccountMenu({ id, onClose }: { id: string; onClose: () => void }) {
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

/** The signed-in user in the header, with a menu under it (the disclosure pattern of the ARIA practices). */
const AccountButton = observer(function AccountButton() {
  const { t } = useTexts();
  const { session } = useShell();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => setOpen(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    close();
    button.current?.focus();
  };
  // A click elsewhere moves the focus too, but to no element.
  const onBlur = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) close();
  };
  const { user } = session;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to what the button and the menu let through
    <div className="shell-profile" onKeyDown={onKeyDown} onBlur={onBlur}>
      <button
        ref={button}
        type="button"
        className="shell-profile__button ui-row ui-gap-1"
        aria-label={t('account.menu')}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <span className="shell-profile__avatar ui-tone--accent">
          {user?.avatar ? <img src={user.avatar} alt="" width={36} height={36} /> : <Icon name="user" size={20} />}
        </span>
        <Icon name="chevron-down" size={16} />
      </button>
      {open && <AccountMenu id={id} onClose={close} />}
    </div>
  );
});
export default AccountButton;
