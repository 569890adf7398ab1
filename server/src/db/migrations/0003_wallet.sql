create table wallets (
  user_id bigint not null references users (id),
  currency char(3) not null check (currency in ('CNY', 'USD')),
  balance bigint not null default 0 check (balance >= 0),
  frozen bigint not null default 0 check (frozen >= 0),
  -- A locked wallet pays nothing (45002); money may still arrive.
  locked boolean not null default false,
  primary key (user_id, currency)
);

-- 0 buy, 1 recharge, 2 refund, 3 deduction, 4 freeze, 5 thaw
create table ledger_transactions (
  id bigint generated always as identity primary key,
  type smallint not null check (type between 0 and 5),
  user_id bigint not null references users (id),
  order_id bigint,
  recharge_id bigint,
  payment_id bigint,
  remark text not null default '',
  actor text not null default 'system',
  created_at timestamptz not null default clock_timestamp()
);
-- One debit and one refund an order, one credit a payment, whatever the code above does.
create unique index ledger_one_debit on ledger_transactions (order_id) where type = 0;
create unique index ledger_one_refund on ledger_transactions (order_id) where type = 2;
create unique index ledger_one_credit on ledger_transactions (payment_id) where type = 1;

-- account: 'available' and 'frozen' belong to a user; 'sales', 'cash' and 'adjustment' to the shop.
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

create trigger ledger_transactions_append_only before update or delete on ledger_transactions
  for each row execute function refuse_change();
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_change();
create trigger ledger_transactions_no_truncate before truncate on ledger_transactions
  for each statement execute function refuse_change();
create trigger ledger_entries_no_truncate before truncate on ledger_entries
  for each statement execute function refuse_change();

create function ledger_sums_to_zero() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from ledger_entries where transaction_id = new.transaction_id group by currency having sum(amount) <> 0
  ) then
    raise exception 'ledger transaction % does not sum to zero', new.transaction_id using errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger ledger_entries_zero after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_sums_to_zero();

-- The one way to move money of a user. Amounts are minor units: p_available and p_frozen are added to the user's two
-- accounts, the shop's account p_counter takes the opposite. Raises SHOPE 45001 (too low) and 45002 (locked).
create function wallet_post(
  p_user bigint, p_currency text, p_type integer, p_available bigint, p_frozen bigint, p_counter text,
  p_order bigint, p_recharge bigint, p_payment bigint, p_remark text, p_actor text
) returns bigint language plpgsql as $$
declare
  v_balance bigint;
  v_frozen bigint;
  v_locked boolean;
  v_transaction bigint;
begin
  insert into wallets (user_id, currency) values (p_user, p_currency) on conflict do nothing;
  select balance, frozen, locked into v_balance, v_frozen, v_locked
    from wallets where user_id = p_user and currency = p_currency for update;
  if p_type = 0 and v_locked then
    raise exception '45002' using errcode = 'SHOPE';
  end if;
  v_balance := v_balance + p_available;
  v_frozen := v_frozen + p_frozen;
  if v_balance < 0 or v_frozen < 0 then
    raise exception '45001' using errcode = 'SHOPE';
  end if;
  update wallets set balance = v_balance, frozen = v_frozen where user_id = p_user and currency = p_currency;
  insert into ledger_transactions (type, user_id, order_id, recharge_id, payment_id, remark, actor)
    values (p_type, p_user, p_order, p_recharge, p_payment, p_remark, p_actor) returning id into v_transaction;
  insert into ledger_entries (transaction_id, user_id, account, currency, amount, balance_after, frozen_after)
    select v_transaction, e.user_id, e.account, p_currency, e.amount, e.balance_after, e.frozen_after
      from (values
        (p_user, 'available', p_available, v_balance, v_frozen),
        (p_user, 'frozen', p_frozen, v_frozen, null),
        (null::bigint, p_counter, -(p_available + p_frozen), null, null)
      ) as e (user_id, account, amount, balance_after, frozen_after)
     where e.amount <> 0;
  return v_balance;
end $$;
