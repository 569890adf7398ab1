import { ErrorCode } from '@shop/shared/domain';
import { maskIdentifier } from '@shop/shared/domain/mask-phone';
import { isApiError } from '@shop/shared/http';
import type { FormikHelpers } from 'formik';
import { useState } from 'react';
import { object, string } from 'yup';
import type { ButtonProps } from '../ui/button';
import { Segmented } from '../ui/choices';
import { CodeField, type CodeFieldProps } from './code-field';
import { PasswordField } from './fields';
import { Form, FormError, SubmitButton } from './form';
import { showFailure } from './server-errors';
import { formMessage, useFormTexts } from './texts';

export interface Proof {
  password: string;
  verify: string;
}
export type ProofWay = keyof Proof;

interface ProofFormProps extends Pick<CodeFieldProps, 'purpose' | 'sendCode'> {
  ways: readonly [ProofWay, ...ProofWay[]];
  /** The code is sent to this phone number or email address. */
  phone: string;
  /** The form's name, if it differs from the dialog's. */
  label?: string;
  submitText: string;
  kind?: ButtonProps['kind'];
  /** Sends the proof with a `quiet` call; rejects with its error. */
  onProof: (proof: Partial<Proof>) => Promise<unknown>;
}

const empty: Proof = { password: '', verify: '' };
const schemas = {
  password: object({ password: string().required(formMessage('password.required')) }),
  verify: object({
    verify: string()
      .required(formMessage('code.required'))
      .matches(/^\d{6}$/, { message: formMessage('code.format?length=6'), excludeEmptyString: true }),
  }),
};
/** Refusals that are shown at the field of the proof. */
const ofProof: readonly number[] = [
  ErrorCode.VerificationRequired,
  ErrorCode.WrongCredentials,
  ErrorCode.WrongVerificationCode,
  ErrorCode.VerificationCodeExpired,
  ErrorCode.VerificationCodeUsedUp,
  ErrorCode.TooManyRequests,
];

/** Asks a signed-in user for the password or a code by text message or email; a wrong one is reported at its field. */
export function ProofForm({ ways, phone, purpose, sendCode, label, submitText, kind, onProof }: ProofFormProps) {
  const { t } = useFormTexts();
  const [chosen, setChosen] = useState<ProofWay>(ways[0]);
  const isMail = phone.includes('@');
  const way = ways.includes(chosen) ? chosen : ways[0];

  const submit = async (values: Proof, helpers: FormikHelpers<Proof>) => {
    try {
      await onProof({ [way]: values[way] });
    } catch (error) {
      if (isApiError(error) && ofProof.includes(error.code)) {
        const text = error.code === ErrorCode.WrongCredentials ? t('proof.wrongPassword') : error.message;
        helpers.setStatus({ serverErrors: { [way]: text || t('proof.failed') } });
      } else showFailure(error, helpers, formMessage('proof.failed'));
    }
  };
  return (
    <>
      {ways.length > 1 && (
        <Segmented
          className="ui-proof__ways"
          label={t('proof.by')}
          value={way}
          onChange={setChosen}
          options={ways.map((value) => ({
            value,
            label: t(value === 'password' ? 'proof.password' : isMail ? 'proof.mail' : 'proof.message'),
          }))}
        />
      )}
      <Form key={way} aria-label={label} initialValues={empty} schema={schemas[way]} onSubmit={submit}>
        {way === 'password' ? (
          <PasswordField name="password" label={t('proof.password')} maxLength={128} />
        ) : (
          <CodeField
            name="verify"
            label={t('code.label')}
            hint={
              isMail
                ? t('proof.mailedTo', { email: maskIdentifier(phone) })
                : t('proof.sentTo', { phone: maskIdentifier(phone) })
            }
            phone={phone}
            purpose={purpose}
            sendCode={sendCode}
          />
        )}
        <FormError />
        <SubmitButton kind={kind}>{submitText}</SubmitButton>
      </Form>
    </>
  );
}
