import { visibleText } from '@shop/shared/domain/plain-text';
import { Form, FormError, SubmitButton } from '@shop/shared/forms';
import { type ReactNode, useState } from 'react';
import { useShell } from '../shell-context';
import { Agreements } from './agreements';
import { type ChosenIdentifier, FormSwitch, identifierToSend, NewPasswordFields } from './identifier-field';
import { register } from './login.api';
import { registerSchema } from './login.schema';
import { showRefusal } from './show-refusal';
import { useTexts } from './texts';

export function RegisterForm({ identifier, onDone }: { identifier: ChosenIdentifier; onDone: () => void }): ReactNode {
  const { t } = useTexts();
  const { session, overlays } = useShell();
  const [agreed, setAgreed] = useState(true);
  const { kind, typed } = identifier;
  const inviteCode = visibleText(new URLSearchParams(window.location.search).get('invite_code') ?? '');

  return (
    <div className="shell-account">
      <p className="shell-account__intro ui-muted">{t(overlays.isLoginToBuy ? 'register.introToBuy' : 'register.intro')}</p>
      <Form
        ns="shell"
        initialValues={{ ...typed, verify: '', password: '', inviteCode }}
        schema={registerSchema[kind]}
        onSubmit={async (values, helpers) => {
          try {
            const answer = await register({
              ...(await identifierToSend(kind, values)),
              verify: values.verify.trim(),
              password: values.password,
              ...(values.inviteCode ? { invite_code: values.inviteCode } : {}),
            });
            await session.signIn(answer);
            onDone();
          } catch (error) {
            showRefusal(error, helpers, kind);
          }
        }}
      >
        <NewPasswordFields identifier={identifier} scene="register" />
        <Agreements agreed={agreed} onChange={setAgreed} />
        <FormError />
        <SubmitButton disabled={!agreed}>{t('register.title')}</SubmitButton>
        <p className="shell-account__switch">
          {t('register.hasAccount')}{' '}
          <FormSwitch identifier={identifier} onSwitch={overlays.backToLogin}>
            {t('login.submit')}
          </FormSwitch>
        </p>
      </Form>
    </div>
  );
}
