import { ErrorCode } from '@shop/shared/domain';
import { Form, FormError, object, SubmitButton, showFailure, string, TextField } from '@shop/shared/forms';
import { isApiError, post } from '@shop/shared/http';
import { Card, Section, Sheet, toast } from '@shop/shared/ui';
import { isAwaited, type Order } from '../order/order';
import { messageKey, useTexts } from '../texts';

/** Waits for a call about the order, and shows at the form why it was refused. */
async function settle(
  call: Promise<unknown>,
  done: string,
  onDone: () => unknown,
  helpers: Parameters<typeof showFailure>[1],
): Promise<void> {
  try {
    await call;
    toast.success(done);
    await onDone();
  } catch (error) {
    if (isApiError(error, ErrorCode.WrongOrderState)) helpers.setStatus({ formError: messageKey('refund.state') });
    else showFailure(error, helpers, messageKey('refund.failed'));
  }
}

const answerQuestion = (order_no: string, answer: string) =>
  post('/api/front/order/answer', { order_no, answer }, { quiet: true });
const answerMax = 500;
const answerSchema = object({
  answer: string().trim().required(messageKey('question.empty')).max(answerMax, messageKey('question.tooLong')),
});

const openQuestion = ({ phase, timeline }: Order) => {
  const latest = timeline.filter(({ kind }) => kind === 'asked' || kind === 'answered').at(-1);
  return isAwaited(phase) && latest?.kind === 'asked' ? latest : undefined;
};

export function Question({ order, onAnswered }: { order: Order; onAnswered(): Promise<void> }) {
  const { t } = useTexts();
  const question = openQuestion(order);
  if (!question) return null;
  return (
    <Section title={t('question.title')}>
      <Card>
        <Form
          initialValues={{ answer: '' }}
          schema={answerSchema}
          onSubmit={({ answer }, helpers) =>
            settle(answerQuestion(order.order_no, answer.trim()), t('question.done'), onAnswered, helpers)
          }
          ns="orders"
        >
          <p className="orders-question">{question.text}</p>
          <TextField
            name="answer"
            label={t('question.answer')}
            hint={t('question.hint')}
            maxLength={answerMax}
            rows={4}
          />
          <FormError />
          <SubmitButton>{t('question.submit')}</SubmitButton>
        </Form>
      </Card>
    </Section>
  );
}

const applyRefund = (order_no: string, reason: string) =>
  post('/api/front/order/refundApply', { order_no, ...(reason ? { reason } : {}) }, { quiet: true });
const reasonMax = 200;
const refundSchema = object({ reason: string().max(reasonMax, messageKey('refund.tooLong')) });

export function RefundSheet(props: { orderNo: string; open: boolean; onClose: () => void; onDone: () => void }) {
  const { t } = useTexts();
  return (
    <Sheet open={props.open} onClose={props.onClose} title={t('refund.title')}>
      <Form
        initialValues={{ reason: '' }}
        schema={refundSchema}
        onSubmit={({ reason }, helpers) =>
          settle(applyRefund(props.orderNo, reason.trim()), t('refund.done'), props.onDone, helpers)
        }
        ns="orders"
      >
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
