import { CodeField, Form, FormError, PasswordField, SubmitButton } from '@shop/shared/forms';
import { Tabs } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import { type Shell, useShell } from '../shell-context';
import { Agreements } from './agreements';
import { login, sendCode } from './login.api';
import { codeLoginSchema, passwordLoginSchema } from './login.schema';
import { numberToSend, type TypedPhone } from './phone/phone';
import { PhoneField } from './phone/phone-field';
import { showRefusal } from './show-refusal';
import { useTexts } from './texts';

type Mode = 'password' | 'verify';

export interface LoginFormProps {
  /** The number that another form of the dialog has, and that this one leaves to it. */
  draft: TypedPhone;
  onDone: () => void;
  onForgotten: () => void;
}

export function LoginForm({ draft, onDone, onForgotten }: LoginFormProps): ReactNode {
  const { t } = useTexts();
  const { session, overlays } = useShell();
  const [mode, setMode] = useState<Mode>('verify');
  const [agreed, setAgreed] = useState(true);
  // Who gives a code registers by it: to buy, a second way to register would only ask again.
  const offersRegister = !(overlays.isLoginToBuy && mode === 'verify');
  const modes = [
    { key: 'verify', label: t('login.byCode') },
    { key: 'password', label: t('login.byPassword') },
  ];

  return (
    <div className="shell-account">
      <p className="shell-account__intro">{t(introOf(overlays, session.expired, mode))}</p>
      <Tabs items={modes} value={mode} onChange={(key) => setMode(key as Mode)} label={t('login.mode')} />
      <Form
        ns="shell"
        initialValues={{ phone: draft.text, country: draft.country, password: '', verify: '' }}
        schema={mode === 'password' ? passwordLoginSchema : codeLoginSchema}
        onSubmit={async (values, helpers) => {
          try {
            const phone = await numberToSend({ text: values.phone, country: values.country });
            const answer = await login(
              mode === 'password'
                ? { phone, login_type: mode, password: values.password }
                : { phone, login_type: mode, verify: values.verify.trim() },
            );
            await session.signIn(answer);
            onDone();
          } catch (error) {
            showRefusal(error, helpers);
          }
        }}
      >
        <PhoneField autoComplete={mode === 'password' ? 'username' : 'tel'} draft={draft} />
        {mode === 'password' ? (
          <>
            <PasswordField
              name="password"
              label={t('login.password')}
              placeholder={t('login.passwordPlaceholder')}
              autoComplete="current-password"
              maxLength={64}
            />
            <button type="button" className="shell-account__forgot" onClick={onForgotten}>
              {t('login.forgot')}
            </button>
          </>
        ) : (
          <CodeField
            name="verify"
            label={t('login.code')}
            placeholder={t('login.codePlaceholder')}
            phoneName="phone"
            purpose="login"
            hint={t('login.codeHint')}
            submits={agreed}
            sendCode={async (text) =>
              sendCode({ phone: await numberToSend({ text, country: draft.country }), scene: 'login' })
            }
          />
        )}
        <Agreements agreed={agreed} onChange={setAgreed} />
        <FormError />
        <SubmitButton disabled={!agreed}>{t('login.submit')}</SubmitButton>
      </Form>
      {offersRegister && (
        <p className="shell-account__switch">
          {t('login.noAccount')}{' '}
          <button type="button" onClick={overlays.openRegister}>
            {t('login.toRegister')}
          </button>
        </p>
      )}
    </div>
  );
}

function introOf({ isLoginToBuy, addressAfterLogin }: Shell['overlays'], isExpired: boolean, mode: Mode) {
  if (isLoginToBuy) return mode === 'verify' ? 'login.introToBuy' : 'login.introToBuyByPassword';
  if (isExpired) return 'login.introExpired';
  return addressAfterLogin ? 'login.introThen' : 'login.intro';
}
