import type { QueueOrder } from '@shop/backoffice/wire';
import { ErrorCode } from '@shop/shared/domain';
import { type CodeFaultKind, codeFaultText, readCodeLines } from '@shop/shared/domain/code-lines';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { confirm } from '@shop/shared/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api, StaffApiError } from '../api';
import { useDraft } from '../drafts';
import { deliveryRules } from '../generated/field-rules';
import { useKeys } from '../keys';
import { type FieldSpec, Fields } from '../kit/fields';
import { Form, FormFaults, Submit, useForm } from '../kit/form';
import { Fault } from '../kit/parts';
import { type Key, useTexts } from '../texts';

const MOST_FAULTS = 10;

interface Delivery {
  note: string;
  codes: string;
}
const noteField: FieldSpec<Delivery, Key> = {
  kind: 'area',
  name: 'note',
  label: 'queue.note',
  hint: 'queue.noteHint',
  ...deliveryRules.note,
};
const codesField: FieldSpec<Delivery, Key> = {
  kind: 'area',
  name: 'codes',
  label: 'queue.codes',
  hint: 'queue.codesHint',
  rows: 3,
  spellCheck: false,
};
const emptyDelivery: Delivery = { note: '', codes: '' };

interface DeliverFormProps {
  order: QueueOrder;
  isTaking: boolean;
  otherActions: ReactNode;
  onDone(): void;
}

export function DeliverForm({ order, isTaking, otherActions, onDone }: DeliverFormProps) {
  const { t, language } = useTexts();
  const ref = useRef<HTMLDivElement>(null);
  useKeys({ d: () => ref.current?.querySelector('textarea')?.focus() });
  const isUnsaved = ({ note, codes }: Delivery) => note !== '' || codes !== '';
  const [values, setValues] = useDraft<Delivery>(`delivery/${order.order_no}`, emptyDelivery, isUnsaved);
  const form = useForm(values, setValues);
  // The form of a just claimed order gets the focus once.
  const [wasTaking] = useState(isTaking);
  useEffect(() => {
    const field = ref.current?.querySelector('textarea');
    if (!field || !wasTaking) return;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }, [wasTaking]);
  const { codes, bad } = parseCodes(values.codes);
  const send = (more: { supplier_ok?: boolean; same_numbers?: boolean }): Promise<unknown> => {
    const delivered = { order_no: order.order_no, note: values.note, ...(codes.length > 0 && { codes }) };
    return api('POST queue/deliver', { ...delivered, ...more }).catch(async (error) => {
      const code = error instanceof StaffApiError ? error.code : undefined;
      const isOpen = code === ErrorCode.SupplierRequestOpen;
      const question = isOpen
        ? { title: t('queue.supplierAsk'), content: t('queue.supplierText'), danger: true }
        : { title: t('queue.numbersAsk'), content: error.message, danger: true };
      if (!(isOpen || code === StaffErrorCode.NumbersKnown) || !(await confirm(question))) throw error;
      await send({ ...more, ...(isOpen ? { supplier_ok: true } : { same_numbers: true }) });
    });
  };
  const deliver = async () => {
    await send({});
    setValues(emptyDelivery);
    onDone();
  };
  return (
    <>
      <div ref={ref}>
        <Form form={form} className="stack starts" onSubmit={deliver}>
          <h3>
            {t('queue.deliver')} <kbd>d</kbd>
          </h3>
          <Fields of={order.takes_codes ? [noteField, codesField] : [noteField]} t={t} className="stack" />
          {bad.slice(0, MOST_FAULTS).map(({ line, kind, other }) => (
            <Fault key={line}>{`${t('queue.badLine', { line })} ${codeFaultText(kind, language, other)}`}</Fault>
          ))}
          <FormFaults form={form} label={() => undefined} />
        </Form>
      </div>
      <div className="card__actions">
        <Submit form={form} loading={form.busy || isTaking} disabled={bad.length > 0 || order.disputed}>
          {codes.length > 0 ? t('queue.deliverCodes', { count: codes.length }) : t('queue.deliver')} <kbd>Ctrl ⏎</kbd>
        </Submit>
        {otherActions}
      </div>
    </>
  );
}

/** The codes of a delivery, one per line, and the lines that are wrong, from 1. */
function parseCodes(text: string) {
  const codes: Array<{ card_no: string; card_pwd: string }> = [];
  const bad: Array<{ line: number; kind: CodeFaultKind; other?: number }> = [];
  const lines = new Map<string, number>();
  for (const { line, cells, fault } of readCodeLines(text)) {
    const { card_no = '', card_pwd = '', expire_at } = cells;
    const key = JSON.stringify([card_no, card_pwd]);
    const other = lines.get(key);
    if (fault || expire_at) bad.push({ line, kind: fault ?? 'format' });
    else if (other) bad.push({ line, kind: 'twice', other });
    else codes.push({ card_no, card_pwd });
    lines.set(key, other ?? line);
  }
  return { codes, bad };
}
