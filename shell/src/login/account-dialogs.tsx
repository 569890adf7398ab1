import './account.css';
import { useNavigate } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Sheet } from '@shop/shared/ui';
import { useEffect, useRef } from 'react';
import { useShell } from '../shell-context';
import { useTexts as useShellTexts } from '../texts';
import { LoginForm } from './login-form';
import { RegisterForm } from './register-form';
import { useTexts } from './texts';

/** Login and register share one dialog. */
const AccountDialogs = observer(function AccountDialogs() {
  const { t: shellText } = useShellTexts();
  const { t } = useTexts();
  const { overlays } = useShell();
  const navigate = useNavigate();
  const isLogin = overlays.account === 'login';
  const form = useRef<HTMLDivElement>(null);
  const shown = useRef(isLogin);
  useEffect(() => {
    if (shown.current === isLogin) return;
    shown.current = isLogin;
    // The button that was pressed has gone.
    form.current?.querySelector('input')?.focus();
  }, [isLogin]);
  const onDone = () => {
    const address = overlays.addressAfterLogin;
    overlays.closeAccount(true);
    if (address) void navigate(address);
  };
  return (
    <Sheet
      open
      onClose={() => overlays.closeAccount()}
      title={isLogin ? shellText('login.title') : t('register.title')}
    >
      {/* The keys reset values and validation on a switch. */}
      <div ref={form}>
        {isLogin ? <LoginForm key="login" onDone={onDone} /> : <RegisterForm key="register" onDone={onDone} />}
      </div>
    </Sheet>
  );
});
export default AccountDialogs;
