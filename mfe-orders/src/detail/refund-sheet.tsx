import { ErrorCode } from '@shop/shared/domain';
import {
  Form,
  FormError,
  type FormikHelpers,
  object,
  SubmitButton,
  showFailure,
  string,
  TextField,
} from '@shop/shared/forms';
import { isApiError } from '@shop/shared/http';
import { Sheet, toast } from '@shop/shared/ui';
import { applyRefund } from '../order/orders.api';
import { messageKey, useTexts } from '../texts';

const reasonMax = 200;
const schema = object({ reason: string().max(reasonMax, messageKey('refund.tooLong')) });
const empty = { reason: '' };

export function RefundSheet(props: { orderNo: string; open: boolean; onClose: () => void; onDone: () => void }) {
  const { t } = useTexts();
  const submit = async (values: typeof empty, helpers: FormikHelpers<typeof empty>) => {
    try {
      await applyRefund(props.orderNo, values.reason.trim());
      toast.success(t('refund.done'));
      props.onDone();
    } catch (error) {
      if (isApiError(error, ErrorCode.WrongOrderState)) helpers.setStatus({ formError: messageKey('refund.state') });
      else showFailure(error, helpers, messageKey('refund.failed'));
    }
  };
  return (
    <Sheet open={props.open} onClose={props.onClose} title={t('refund.title')}>
      <Form initialValues={empty} schema={schema} onSubmit={submit} ns="orders">
        <p>{t('refund.text')}</p>
        <TextField
          name="reason"
          label={t('refund.reason')}
          placeholder={t('refund.placeholder')}
          maxLength={reasonMax}
          rows={4}
        />
        <FormError />
        <SubmitButton>{t('refund.submit')}</SubmitButton>
      </Form>
    </Sheet>
  );
}
