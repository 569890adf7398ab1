import { ErrorCode } from '@shop/shared/domain';
import {
  CodeField,
  Form,
  FormError,
  type FormikHelpers,
  object,
  PasswordField,
  SubmitButton,
  showFailure,
  string,
} from '@shop/shared/forms';
import { isApiError } from '@shop/shared/http';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Segmented } from '@shop/shared/ui';
import { useState } from 'react';
import { messageKey, useTexts } from '../texts';
import { sendProofCode } from './privacy.api';

type Way = 'password' | 'verify';
export type Proof = { password: string } | { verify: string };
const empty = { password: '', verify: '' };
const schemas = {
  password: object({ password: string().required(messageKey('security.errors.passwordRequired')) }),
  verify: object({
    verify: string()
      .required(messageKey('security.errors.codeRequired'))
      .matches(/^\d{6}$/, { message: messageKey('security.errors.codeFormat'), excludeEmptyString: true }),
  }),
};
const wrongProof: number[] = [
  ErrorCode.VerificationRequired,
  ErrorCode.WrongCredentials,
  ErrorCode.WrongVerificationCode,
  ErrorCode.VerificationCodeExpired,
  ErrorCode.VerificationCodeUsedUp,
];

/** Asks for the password or a code, and passes it on; a wrong one is said at its field. */
export const ProofForm = observer(function ProofForm(props: {
  label: string;
  submitLabel: string;
  danger?: boolean;
  onProof: (proof: Proof) => Promise<unknown>;
}) {
  const { t } = useTexts();
  const session = useSession();
  const [chosen, setChosen] = useState<Way>('password');
  const { hasPassword = false, phone = '' } = session.user ?? {};
  const way = hasPassword ? chosen : 'verify';
  if (!hasPassword && phone === '') {
    return (
      <div className="account-stack">
        <p className="account-muted">{t('privacy.noProof')}</p>
        <Button kind="secondary" icon="support" onClick={() => session.openSupport()}>
          {t('centre.support')}
        </Button>
      </div>
    );
  }

  const submit = async (values: typeof empty, helpers: FormikHelpers<typeof empty>) => {
    try {
      await props.onProof(way === 'password' ? { password: values.password } : { verify: values.verify });
    } catch (error) {
      if (isApiError(error) && wrongProof.includes(error.code)) {
        const text = error.code === ErrorCode.WrongCredentials ? t('privacy.passwordWrong') : error.message;
        helpers.setStatus({ serverErrors: { [way]: text || t('common.networkFailed') } });
      } else showFailure(error, helpers, messageKey('common.networkFailed'));
    }
  };
  return (
    <div className="account-stack">
      {hasPassword && phone !== '' ? (
        <Segmented
          label={t('security.by')}
          value={way}
          onChange={setChosen}
          options={[
            { value: 'password', label: t('privacy.password') },
            { value: 'verify', label: t('security.byCode') },
          ]}
        />
      ) : null}
      <Form
        key={way}
        ns="account"
        aria-label={props.label}
        initialValues={empty}
        schema={schemas[way]}
        onSubmit={submit}
      >
        {way === 'password' ? (
          <PasswordField
            name="password"
            label={t('privacy.password')}
            autoComplete="current-password"
            maxLength={128}
          />
        ) : (
          <CodeField
            name="verify"
            label={t('security.code')}
            phone={phone}
            purpose="account"
            sendCode={sendProofCode}
            hint={t('security.codeTo', { phone: phone.replace(/^(\d{3})\d{4}/, '$1****') })}
          />
        )}
        <FormError />
        <SubmitButton kind={props.danger ? 'danger' : 'primary'}>{props.submitLabel}</SubmitButton>
      </Form>
    </div>
  );
});
