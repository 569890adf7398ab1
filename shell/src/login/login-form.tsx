import {
  applyServerErrors,
  CodeField,
  Form,
  FormError,
  PasswordField,
  SubmitButton,
  TextField,
} from '@shop/shared/forms';
import { Tabs } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import { login, sendCode } from '../session/session.api';
import { SignInIncomplete } from '../session/session.store';
import { useShell } from '../shell-context';
import { Agreements } from './agreements';
import { codeLoginSchema, passwordLoginSchema } from './login.schema';
import { messageKey, useTexts } from './texts';

type Mode = 'password' | 'verify';
const empty = { phone: '', password: '', verify: '' };

export function LoginForm({ onDone }: { onDone: () => void }): ReactNode {
  const { t } = useTexts();
  const { session, overlays } = useShell();
  const [mode, setMode] = useState<Mode>('verify');
  const [agreed, setAgreed] = useState(true);
  const modes = [
    { key: 'verify', label: t('login.byCode') },
    { key: 'password', label: t('login.byPassword') },
  ];

  return (
    <div className="shell-account">
      <p className="shell-account__intro">{t(overlays.isLoginToBuy ? 'login.introToBuy' : 'login.intro')}</p>
      <Tabs items={modes} value={mode} onChange={(key) => setMode(key as Mode)} label={t('login.mode')} />
      <Form
        ns="shell"
        initialValues={empty}
        schema={mode === 'password' ? passwordLoginSchema : codeLoginSchema}
        onSubmit={async (values, helpers) => {
          try {
            const phone = values.phone.trim();
            const answer = await login(
              mode === 'password'
                ? { phone, login_type: mode, password: values.password }
                : { phone, login_type: mode, verify: values.verify.trim() },
            );
            await session.signIn(answer);
            onDone();
          } catch (error) {
            if (error instanceof SignInIncomplete) helpers.setStatus({ formError: messageKey('login.incomplete') });
            else applyServerErrors(error, helpers);
          }
        }}
      >
        <TextField
          name="phone"
          label={t('login.phone')}
          placeholder={t('login.phonePlaceholder')}
          type="tel"
          inputMode="tel"
          autoComplete={mode === 'password' ? 'username' : 'tel'}
          maxLength={16}
        />
        {mode === 'password' ? (
          <PasswordField
            name="password"
            label={t('login.password')}
            placeholder={t('login.passwordPlaceholder')}
            autoComplete="current-password"
            maxLength={64}
          />
        ) : (
          <CodeField
            name="verify"
            label={t('login.code')}
            placeholder={t('login.codePlaceholder')}
            phoneName="phone"
            purpose="login"
            hint={t('login.codeHint')}
            submits={agreed}
            sendCode={(phone) => sendCode({ phone, scene: 'login' })}
          />
        )}
        <Agreements agreed={agreed} onChange={setAgreed} />
        <FormError />
        <SubmitButton disabled={!agreed}>{t('login.submit')}</SubmitButton>
      </Form>
      <p className="shell-account__switch">
        {t('login.noAccount')}{' '}
        <button type="button" onClick={overlays.openRegister}>
          {t('login.toRegister')}
        </button>
      </p>
    </div>
  );
}
