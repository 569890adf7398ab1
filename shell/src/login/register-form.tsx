import {
  applyServerErrors,
  CodeField,
  Form,
  FormError,
  PasswordField,
  SubmitButton,
  TextField,
} from '@shop/shared/forms';
import { type ReactNode, useState } from 'react';
import { register, sendCode } from '../session/session.api';
import { SignInIncomplete } from '../session/session.store';
import { useShell } from '../shell-context';
import { Agreements } from './agreements';
import { registerSchema } from './login.schema';
import { messageKey, useTexts } from './texts';

export function RegisterForm({ onDone }: { onDone: () => void }): ReactNode {
  const { t } = useTexts();
  const { session, overlays } = useShell();
  const [agreed, setAgreed] = useState(true);
  const inviteCode = new URLSearchParams(window.location.search).get('invite_code') ?? '';

  return (
    <div className="shell-account">
      <p className="shell-account__intro">{t(overlays.isLoginToBuy ? 'register.introToBuy' : 'register.intro')}</p>
      <Form
        ns="shell"
        initialValues={{ phone: '', verify: '', password: '', inviteCode }}
        schema={registerSchema}
        onSubmit={async (values, helpers) => {
          try {
            const answer = await register({
              phone: values.phone.trim(),
              verify: values.verify.trim(),
              password: values.password,
              ...(values.inviteCode ? { invite_code: values.inviteCode } : {}),
            });
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
          autoComplete="username"
          maxLength={16}
        />
        <CodeField
          name="verify"
          label={t('login.code')}
          placeholder={t('login.codePlaceholder')}
          phoneName="phone"
          purpose="login"
          sendCode={(phone) => sendCode({ phone, scene: 'register' })}
        />
        <PasswordField
          name="password"
          label={t('login.password')}
          placeholder={t('login.passwordPlaceholder')}
          autoComplete="new-password"
          hint={t('register.passwordHint')}
        />
        <Agreements agreed={agreed} onChange={setAgreed} />
        <FormError />
        <SubmitButton disabled={!agreed}>{t('register.submit')}</SubmitButton>
      </Form>
      <p className="shell-account__switch">
        {t('register.hasAccount')}{' '}
        <button type="button" onClick={overlays.backToLogin}>
          {t('register.toLogin')}
        </button>
      </p>
    </div>
  );
}
