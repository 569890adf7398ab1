import type { StaffRefundAnswer } from '@shop/backoffice/wire';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { formatMoney as money } from '@shop/shared/money';
import { Checkbox } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import { StaffApiError } from '../api';
import { refundRules } from '../generated/field-rules';
import { t as text, useTexts } from '../texts';

export const outcomeText = ({ state, amount, currency }: StaffRefundAnswer): string =>
  text(`outcome.${state}`, { amount: money(amount, currency) });

const texts = { not_delivered: 'queue.notDelivered', revealed_ok: 'queue.revealed' } as const;
type Question = keyof typeof texts;
type Answers = Partial<Record<Question, boolean>>;

const questionOf = (error: unknown): Question | undefined => {
  const code = error instanceof StaffApiError ? error.code : undefined;
  if (code === ErrorCode.SupplierRequestOpen) return 'not_delivered';
  return code === StaffErrorCode.CodesRevealed ? 'revealed_ok' : undefined;
};

interface Refund {
  ready: boolean;
  questions: ReactNode;
  /** The same key again is the same refund; a success starts another key. The confirmations are sent with it. */
  send(work: (request: { key: string; answers: Answers }) => Promise<unknown>): Promise<void>;
}

/** Sends a refund. The server refuses it until each risk is confirmed; earlier confirmations stay. */
export function useRefund(): Refund {
  const { t } = useTexts();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [answers, setAnswers] = useState<Answers>({});
  const answer = (question: Question, value: boolean) => setAnswers((before) => ({ ...before, [question]: value }));
  const send: Refund['send'] = async (work) => {
    await work({ key, answers }).catch((error) => {
      const question = questionOf(error);
      if (question) answer(question, false);
      throw error;
    });
    setKey(crypto.randomUUID());
    setAnswers({});
  };
  const open = (Object.keys(texts) as Question[]).filter((question) => answers[question] !== undefined);
  const checkboxes = open.map((question) => (
    <Checkbox key={question} checked={answers[question] ?? false} onChange={(checked) => answer(question, checked)}>
      {t(texts[question])}
    </Checkbox>
  ));
  return { ready: open.every((question) => answers[question]), questions: checkboxes, send };
}

export const reason = {
  kind: 'area',
  name: 'reason',
  label: 'reason',
  hint: 'queue.whyHint',
  ...refundRules.reason,
} as const;

export const typedAmount = {
  inputMode: 'decimal',
  ...refundRules.amount,
  placeholder: '12.34',
} as const;
