-- Figures of days.
create index ledger_transactions_at on ledger_transactions (created_at);
create index orders_paid_at on orders (paid_at) where paid_at is not null;
create index orders_finished_at on orders (finished_at) where recharge_type <> 1 and finished_at is not null;
create index payments_ended_at on payments (ended_at) where state in ('paid', 'failed');
