import { ErrorCode } from '@shop/shared/domain';
import { identifierBody, maskIdentifier } from '@shop/shared/domain/mask-phone';
import { isApiError, post } from '@shop/shared/http';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import type { FormikHelpers } from 'formik';
import { type ReactNode, useState } from 'react';
import { object, string } from 'yup';
import type { ButtonProps } from '../ui/button';
import { Segmented } from '../ui/choices';
import { CodeField, type CodePurpose } from './code-field';
import { PasswordField } from './fields';
import { Form, FormError, SubmitButton } from './form';
import { showFailure } from './server-errors';
import { formMessage, useFormTexts } from './texts';

interface Proof {
  password: string;
  verify: string;
}
export type ProofWay = keyof Proof;

interface ProofFormProps {
  ways: readonly ProofWay[];
  /** Shown to a user who has none of the ways. */
  children: ReactNode;
  purpose: CodePurpose;
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

/** A code by text message or email to the signed-in user. */
export const OwnCodeField = observer(function OwnCodeField({ purpose }: { purpose: CodePurpose }) {
  const { t } = useFormTexts();
  const { phone, signInEmail = '' } = useSession().user ?? {};
  const identifier = phone || signInEmail;
  const masked = maskIdentifier(identifier);
  return (
    <CodeField
      name="verify"
      label={t('code.label')}
      hint={phone ? t('proof.sentTo', { phone: masked }) : t('proof.mailedTo', { email: masked })}
      phone={identifier}
      purpose={purpose}
      sendCode={(to) => post('/api/front/app/send_code', { ...identifierBody(to), scene: purpose }, { quiet: true })}
    />
  );
});

/** Asks a signed-in user for the password or a code; a wrong one is reported at its field. */
export const ProofForm = observer(function ProofForm(props: ProofFormProps) {
  const { ways, children, purpose, label, submitText, kind, onProof } = props;
  const { t } = useFormTexts();
  const { user } = useSession();
  const [chosen, setChosen] = useState(ways[0]);
  const way = ways.find((each) => each === chosen) ?? ways[0];
  if (!way) return children;

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
            label: t(value === 'password' ? 'proof.password' : user?.phone ? 'proof.message' : 'proof.mail'),
          }))}
        />
      )}
      <Form key={way} aria-label={label} initialValues={empty} schema={schemas[way]} onSubmit={submit}>
        {way === 'password' ? (
          <PasswordField name="password" label={t('proof.password')} maxLength={128} />
        ) : (
          <OwnCodeField purpose={purpose} />
        )}
        <FormError />
        <SubmitButton kind={kind}>{submitText}</SubmitButton>
      </Form>
    </>
  );
});
