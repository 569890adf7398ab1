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
import { ApiError, isApiError } from '@shop/shared/http';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Segmented, Sheet } from '@shop/shared/ui';
import { useState } from 'react';
import { sendProofCode } from '../order/orders.api';
import { messageKey, type TextKey, useTexts } from '../texts';

interface Proof {
  password: string;
  verify: string;
}
export type ProofWay = keyof Proof;
const empty: Proof = { password: '', verify: '' };
const schemas = {
  password: object({ password: string().required(messageKey('proof.passwordRequired')) }),
  verify: object({ verify: string().required(messageKey('proof.codeRequired')) }),
};
const wayTexts: Record<ProofWay, TextKey> = { password: 'proof.byPassword', verify: 'proof.byCode' };
/** Wrong password or code. */
const wrongProof: number[] = [
  ErrorCode.VerificationRequired,
  ErrorCode.WrongCredentials,
  ErrorCode.WrongVerificationCode,
  ErrorCode.VerificationCodeExpired,
  ErrorCode.VerificationCodeUsedUp,
];

const masked = (phone: string) => phone.replace(/^(\d{3})\d{4}(\d{4})$/, '$1****$2');

export interface ProofSheetProps {
  open: boolean;
  onClose: () => void;
  /** What the shopper may prove to be there with; the first is preferred. */
  ways: ProofWay[];
  purpose: 'cards' | 'wallet';
  /** Why the shopper is asked. */
  reason?: string;
  submitText: string;
  /** A key for a failure without a message. */
  failed: string;
  /** Sends the proof; rejects as the call does. */
  onProof: (proof: Partial<Proof>) => Promise<void>;
}

/** Asks for the password or a code by text message. */
export const ProofSheet = observer(function ProofSheet(props: ProofSheetProps) {
  const { ways, purpose } = props;
  const { t } = useTexts();
  const phone = useSession().user?.phone ?? '';
  const [chosen, setWay] = useState<ProofWay>('password');
  const way = ways.find((one) => one === chosen) ?? ways[0];

  const submit = async (values: Proof, helpers: FormikHelpers<Proof>) => {
    if (!way) return;
    try {
      await props.onProof({ [way]: values[way] });
    } catch (error) {
      if (error instanceof ApiError && wrongProof.includes(error.code)) {
        helpers.setStatus({ serverErrors: { [way]: error.message || t('proof.wrong') } });
      } else
        showFailure(
          error,
          helpers,
          isApiError(error, ErrorCode.TooManyRequests) ? messageKey('proof.tooMany') : props.failed,
        );
    }
  };
  return (
    <Sheet open={props.open} onClose={props.onClose} title={t('proof.title')}>
      {props.reason && <p className="orders-proof__reason">{props.reason}</p>}
      {ways.length > 1 && way && (
        <Segmented
          className="orders-proof__ways"
          label={t('proof.by')}
          value={way}
          onChange={setWay}
          options={ways.map((value) => ({ value, label: t(wayTexts[value]) }))}
        />
      )}
      {way ? (
        <Form key={way} initialValues={empty} schema={schemas[way]} onSubmit={submit} ns="orders">
          {way === 'password' ? (
            <PasswordField name="password" label={t('proof.byPassword')} />
          ) : (
            <CodeField
              name="verify"
              label={t('proof.byCode')}
              hint={t('proof.sentTo', { phone: masked(phone) })}
              phone={phone}
              purpose={purpose}
              sendCode={(to) => sendProofCode(to, purpose)}
            />
          )}
          <FormError />
          <SubmitButton>{props.submitText}</SubmitButton>
        </Form>
      ) : (
        <p>{t(purpose === 'cards' ? 'proof.signInForCards' : 'proof.signInAgain')}</p>
      )}
    </Sheet>
  );
});
