import { Form, FormError, SubmitButton } from '@shop/shared/forms';
import { type ReactNode, useState } from 'react';
import { useShell } from '../shell-context';
import { Agreements } from './agreements';
import { register } from './login.api';
import { registerSchema } from './login.schema';
import { NewPasswordFields } from './new-password-fields';
import { numberToSend, type TypedPhone } from './phone/phone';
import { showRefusal } from './show-refusal';
import { useTexts } from './texts';

export function RegisterForm({ draft, onDone }: { draft: TypedPhone; onDone: () => void }): ReactNode {
  const { t } = useTexts();
  const { session, overlays } = useShell();
  const [agreed, setAgreed] = useState(true);
  const inviteCode = new URLSearchParams(window.location.search).get('invite_code') ?? '';

  return (
    <div className="shell-account">
      <p className="shell-account__intro">{t(overlays.isLoginToBuy ? 'register.introToBuy' : 'register.intro')}</p>
      <Form
        ns="shell"
        initialValues={{ phone: draft.text, country: draft.country, verify: '', password: '', inviteCode }}
        schema={registerSchema}
        onSubmit={async (values, helpers) => {
          try {
            const answer = await register({
              phone: await numberToSend({ text: values.phone, country: values.country }),
              verify: values.verify.trim(),
              password: values.password,
              ...(values.inviteCode ? { invite_code: values.inviteCode } : {}),
            });
            await session.signIn(answer);
            onDone();
          } catch (error) {
            showRefusal(error, helpers);
          }
        }}
      >
        <NewPasswordFields draft={draft} scene="register" />
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
