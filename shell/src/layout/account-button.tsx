import './account-button.css';
import { observer } from '@shop/shared/state';
import { Icon } from '@shop/shared/ui';
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { useShell } from '../shell-context';
import { AccountMenu } from './account-menu';
import { useTexts } from './account-texts';

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
