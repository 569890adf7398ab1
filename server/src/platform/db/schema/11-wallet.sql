create table wallets (
  user_id bigint not null references users (id),
  currency char(3) not null check (currency in ('CNY', 'USD')),
  balance bigint not null default 0 check (balance >= 0),
  frozen bigint not null default 0 check (frozen >= 0),
  -- A locked wallet pays nothing (45002); money may still arrive.
  locked boolean not null default false,
  primary key (user_id, currency)
);

-- type: 0 buy, 1 recharge, 2 refund, 3 deduction, 4 freeze, 5 thaw, 6 a move between accounts of the shop
create table ledger_transactions (
  id bigint generated always as identity primary key,
  type smallint not null check (type between 0 and 6),
  user_id bigint not null references users (id),
  order_id bigint,
  recharge_id bigint,
  payment_id bigint,
  remark text not null default '',
  actor text not null default 'system',
  created_at timestamptz not null default clock_timestamp()
);
-- One debit per order and one credit per payment, even if other code has a bug; refunds of an order together never exceed the paid
-- amount.
create unique index ledger_one_debit on ledger_transactions (order_id) where type = 0;
create unique index ledger_one_credit on ledger_transactions (payment_id) where type = 1;
create index ledger_refunds on ledger_transactions (order_id) where type = 2;
create index ledger_transactions_at on ledger_transactions (created_at);
create constraint trigger ledger_refunds_bounded after insert on ledger_transactions
  deferrable initially deferred for each row when (new.type = 2 and new.order_id is not null)
  execute function ledger_refund_bound();
create trigger ledger_transactions_append_only before update or delete on ledger_transactions
  for each row when (current_setting('shop.erasing', true) is distinct from 'on') execute function refuse_change();
create trigger ledger_transactions_erasure before update or delete on ledger_transactions
  for each row when (current_setting('shop.erasing', true) = 'on') execute function refuse_other_change('remark');
create trigger ledger_transactions_no_truncate before truncate on ledger_transactions
  for each statement execute function refuse_change();

-- account: 'available' and 'frozen' belong to a user; 'sales', 'cash', 'adjustment', 'disputed' and 'loss' to the shop. The
-- entries of a transaction sum to zero.
create table ledger_entries (
  id bigint generated always as identity primary key,
  transaction_id bigint not null references ledger_transactions (id),
  user_id bigint references users (id),
  account text not null,
  currency char(3) not null,
  amount bigint not null check (amount <> 0),
  balance_after bigint,
  frozen_after bigint,
  check ((account in ('available', 'frozen')) = (user_id is not null))
);
create index ledger_entries_transaction on ledger_entries (transaction_id);
create index ledger_entries_log on ledger_entries (user_id, currency, id) where account = 'available';
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_change();
create trigger ledger_entries_no_truncate before truncate on ledger_entries
  for each statement execute function refuse_change();
create constraint trigger ledger_entries_zero after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_sums_to_zero();
