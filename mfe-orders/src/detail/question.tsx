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
import { Card, Section, toast } from '@shop/shared/ui';
import { isAwaited, type Order } from '../order/order';
import { answerQuestion } from '../order/orders.api';
import { messageKey, useTexts } from '../texts';

const answerMax = 500;
const schema = object({
  answer: string().trim().required(messageKey('question.empty')).max(answerMax, messageKey('question.tooLong')),
});
const empty = { answer: '' };

const openQuestion = ({ phase, timeline }: Order) => {
  const latest = timeline.filter(({ kind }) => kind === 'asked' || kind === 'answered').at(-1);
  return isAwaited(phase) && latest?.kind === 'asked' ? latest : undefined;
};

export function Question({ order, onAnswered }: { order: Order; onAnswered(): Promise<void> }) {
  const { t } = useTexts();
  const question = openQuestion(order);
  if (!question) return null;
  const submit = async ({ answer }: typeof empty, helpers: FormikHelpers<typeof empty>) => {
    try {
      await answerQuestion(order.order_no, answer.trim());
      toast.success(t('question.done'));
      await onAnswered();
    } catch (error) {
      if (isApiError(error, ErrorCode.WrongOrderState)) helpers.setStatus({ formError: messageKey('refund.state') });
      else showFailure(error, helpers, messageKey('refund.failed'));
    }
  };
  return (
    <Section title={t('question.title')}>
      <Card>
        <Form initialValues={empty} schema={schema} onSubmit={submit} ns="orders">
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
