import './account.css';
import { useNavigate } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Sheet } from '@shop/shared/ui';
import { useShell } from '../shell-context';
import { useTexts as useShellTexts } from '../texts';
import { LoginForm } from './login-form';
import { RegisterForm } from './register-form';
import { useTexts } from './texts';

/** Login and register, one dialog that changes its content: either closes the other. */
const AccountDialogs = observer(function AccountDialogs() {
  const { t: shellText } = useShellTexts();
  const { t } = useTexts();
  const { overlays } = useShell();
  const navigate = useNavigate();
  const login = overlays.account === 'login';
  const onDone = () => {
    const wanted = overlays.addressAfterLogin;
    overlays.closeAccount();
    if (wanted) void navigate(wanted);
  };
  return (
    <Sheet open onClose={overlays.closeAccount} title={login ? shellText('login.title') : t('register.title')}>
      {/* The key makes a fresh form of each: switching resets values and validation. */}
      {login ? <LoginForm key="login" onDone={onDone} /> : <RegisterForm key="register" onDone={onDone} />}
    </Sheet>
  );
});
export default AccountDialogs;
