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
import { type Card, revealCards, sendRevealCode } from '../order/orders.api';
import { messageKey, useTexts } from '../texts';

type Way = 'password' | 'verify';
interface Proof {
  password: string;
  verify: string;
}
const empty: Proof = { password: '', verify: '' };
const schemas = {
  password: object({ password: string().required(messageKey('cards.passwordRequired')) }),
  verify: object({ verify: string().required(messageKey('cards.codeRequired')) }),
};
/** Wrong password or code. */
const wrongProof: number[] = [
  ErrorCode.VerificationRequired,
  ErrorCode.WrongCredentials,
  ErrorCode.WrongVerificationCode,
  ErrorCode.VerificationCodeExpired,
  ErrorCode.VerificationCodeUsedUp,
];

const masked = (phone: string) => phone.replace(/^(\d{3})\d{4}(\d{4})$/, '$1****$2');

export const VerifySheet = observer(function VerifySheet(props: {
  orderNo: string;
  open: boolean;
  onClose: () => void;
  onCards: (cards: Card[]) => void;
}) {
  const { t } = useTexts();
  const { user } = useSession();
  const canUsePassword = user?.hasPassword ?? true;
  const [chosen, setWay] = useState<Way>('password');
  const way = canUsePassword ? chosen : 'verify';
  const phone = user?.phone ?? '';

  const submit = async (values: Proof, helpers: FormikHelpers<Proof>) => {
    try {
      props.onCards(await revealCards(props.orderNo, { [way]: values[way] }));
    } catch (error) {
      if (error instanceof ApiError && wrongProof.includes(error.code)) {
        helpers.setStatus({ serverErrors: { [way]: error.message || t('cards.wrong') } });
      } else
        showFailure(
          error,
          helpers,
          messageKey(isApiError(error, ErrorCode.TooManyRequests) ? 'cards.tooMany' : 'cards.failed'),
        );
    }
  };
  return (
    <Sheet open={props.open} onClose={props.onClose} title={t('cards.verifyTitle')}>
      {canUsePassword && phone !== '' && (
        <Segmented
          className="orders-verify__ways"
          label={t('cards.by')}
          value={way}
          onChange={setWay}
          options={[
            { value: 'password', label: t('cards.byPassword') },
            { value: 'verify', label: t('cards.byCode') },
          ]}
        />
      )}
      <Form key={way} initialValues={empty} schema={schemas[way]} onSubmit={submit} ns="orders">
        {way === 'password' ? (
          <PasswordField name="password" label={t('cards.byPassword')} />
        ) : (
          <CodeField
            name="verify"
            label={t('cards.byCode')}
            hint={t('cards.sentTo', { phone: masked(phone) })}
            phone={phone}
            purpose="cards"
            sendCode={sendRevealCode}
          />
        )}
        <FormError />
        <SubmitButton>{t('cards.confirm')}</SubmitButton>
      </Form>
    </Sheet>
  );
});
