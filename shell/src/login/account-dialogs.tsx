import './account.css';
import { useNavigate } from '@shop/shared/router';
import { useHydrating } from '@shop/shared/routing';
import type { User } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Sheet, toast } from '@shop/shared/ui';
import { useEffect, useRef, useState } from 'react';
import { useShell } from '../shell-context';
import { useTexts as useShellTexts } from '../texts';
import { LoginForm, NewPasswordForm, RegisterForm } from './account-forms';
import type { ChosenIdentifier, IdentifierKind, IdentifierValues } from './identifier-field';
import { likelyCountry } from './phone/country';
import { t as loginText, useTexts } from './texts';

/** Login, register and a forgotten password share one dialog and the typed identifier. */
const AccountDialogs = observer(function AccountDialogs() {
  const { t: shellText } = useShellTexts();
  const { t, language } = useTexts();
  const { overlays } = useShell();
  const navigate = useNavigate();
  const isLogin = overlays.account === 'login';
  const form = useRef<HTMLDivElement>(null);
  const [isForgotten, setForgotten] = useState(false);
  const identifier = useIdentifier(language);
  const shownForm = `${isForgotten ? 'forgotten' : overlays.account} ${identifier.kind}`;
  const shown = useRef(shownForm);
  useEffect(() => {
    if (shown.current === shownForm) return;
    shown.current = shownForm;
    // The focused button is gone, so the focus moves to the form.
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
      <div ref={form}>
        {isForgotten ? (
          <NewPasswordForm identifier={identifier} onDone={onDone} onBack={() => setForgotten(false)} />
        ) : isLogin ? (
          <LoginForm identifier={identifier} onDone={onDone} onForgotten={() => setForgotten(true)} />
        ) : (
          <RegisterForm identifier={identifier} onDone={onDone} />
        )}
      </div>
    </Sheet>
  );
});
export default AccountDialogs;

/**
 * Users of the Chinese shop sign in by phone, as the law of the mainland requires; users of the English shop may sign in by email
 * if the shop sends mails.
 */
function useIdentifier(language: string): ChosenIdentifier {
  const { appConfig } = useShell();
  const hydrating = useHydrating();
  const [kind, setKind] = useState<IdentifierKind>('phone');
  // The server does not know the browser's region.
  const [typed, keep] = useState<IdentifierValues>(() => ({
    phone: '',
    country: likelyCountry(language, hydrating ? [] : undefined),
    email: '',
  }));
  const isOffered = language === 'en' && appConfig.sendsMails;
  // The space of the button is reserved until the config is loaded, so that nothing moves.
  const isShown = isOffered || (language === 'en' && appConfig.isLoading);
  return {
    kind: isOffered ? kind : 'phone',
    typed,
    keep,
    ...(isShown && { other: { isKnown: isOffered, choose: () => setKind(kind === 'phone' ? 'email' : 'phone') } }),
  };
}

/** The greeting by the device's hour (docs/product.md#session). It is in this chunk, which is loaded when a user signs in. */
type Greeting = 'earlyMorning' | 'morning' | 'noon' | 'afternoon' | 'evening';

export function greetingOf(hour: number): Greeting {
  if (hour < 8) return 'earlyMorning';
  if (hour <= 11) return 'morning';
  if (hour <= 13) return 'noon';
  if (hour <= 17) return 'afternoon';
  return 'evening';
}

export function greet({ nickname, phone }: User): void {
  toast.success(loginText(`greeting.${greetingOf(new Date().getHours())}`, { name: nickname || phone }));
}
