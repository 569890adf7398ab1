import type { StaffPayment } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { money } from '../format';
import { Table } from '../parts';
import { useTexts } from '../refunds/texts';
import { useTexts as useSharedTexts } from '../texts';

export function PaymentsTable({ payments }: { payments: StaffPayment[] }) {
  const { t } = useTexts();
  const { t: shared } = useSharedTexts();
  return (
    <Table
      title={shared('order.payments')}
      head={[
        ...[
          shared('order.at'),
          shared('order.paymentNo'),
          shared('order.method'),
          shared('queue.amount'),
          t('paidBack'),
        ],
        shared('order.state'),
      ]}
      rows={payments.map((one) => [
        formatDate(one.created_at),
        [one.payment_no, one.provider_ref].filter(Boolean).join(' / '),
        one.method,
        money(one.amount, one.currency),
        one.paid_back === '0.00' ? '' : money(one.paid_back, one.currency),
        [one.state, one.disputes].filter(Boolean).join(' · '),
      ])}
    />
  );
}
