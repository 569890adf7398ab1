import './account.css';
import { useNavigate } from '@shop/shared/router';
import { useHydrating } from '@shop/shared/routing';
import { observer } from '@shop/shared/state';
import { Sheet } from '@shop/shared/ui';
import { useEffect, useRef, useState } from 'react';
import { useShell } from '../shell-context';
import { useTexts as useShellTexts } from '../texts';
import { LoginForm } from './login-form';
import { NewPasswordForm } from './new-password-form';
import { likelyCountry } from './phone/likely-country';
import type { TypedPhone } from './phone/phone';
import { RegisterForm } from './register-form';
import { useTexts } from './texts';

/** In this chunk, which is there when somebody signs in. */
export { greet } from './greeting';

/** Login, register and a forgotten password share one dialog, and the number that was typed. */
const AccountDialogs = observer(function AccountDialogs() {
  const { t: shellText } = useShellTexts();
  const { t, language } = useTexts();
  const { overlays } = useShell();
  const navigate = useNavigate();
  const isLogin = overlays.account === 'login';
  const form = useRef<HTMLDivElement>(null);
  const [isForgotten, setForgotten] = useState(false);
  const hydrating = useHydrating();
  // A server does not know the browser's region.
  const [draft] = useState<TypedPhone>(() => ({
    text: '',
    country: likelyCountry(language, hydrating ? [] : undefined),
  }));
  const shownForm = isForgotten ? 'forgotten' : overlays.account;
  const shown = useRef(shownForm);
  useEffect(() => {
    if (shown.current === shownForm) return;
    shown.current = shownForm;
    // The button that was pressed has gone.
    form.current?.querySelector('input')?.focus();
  }, [shownForm]);
  const onDone = () => {
    const address = overlays.addressAfterLogin;
    overlays.closeAccount(true);
    if (address) void navigate(address);
  };
  return (
    <Sheet
      open
      onClose={() => overlays.closeAccount()}
      title={isForgotten ? t('forgotten.title') : isLogin ? shellText('login.title') : t('register.title')}
    >
      {/* The keys reset values and validation on a switch. */}
      <div ref={form}>
        {isForgotten ? (
          <NewPasswordForm draft={draft} onDone={onDone} onBack={() => setForgotten(false)} />
        ) : isLogin ? (
          <LoginForm key="login" draft={draft} onDone={onDone} onForgotten={() => setForgotten(true)} />
        ) : (
          <RegisterForm key="register" draft={draft} onDone={onDone} />
        )}
      </div>
    </Sheet>
  );
});
export default AccountDialogs;
