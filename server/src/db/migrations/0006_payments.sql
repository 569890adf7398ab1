create table recharges (
  id bigint generated always as identity primary key,
  recharge_no text not null unique,
  user_id bigint not null references users (id),
  currency char(3) not null,
  amount bigint not null check (amount > 0),
  method text not null,
  state text not null default 'pending' check (state in ('pending', 'paid', 'closed')),
  created_at timestamptz not null default clock_timestamp(),
  expire_at timestamptz not null,
  paid_at timestamptz
);
create index recharges_user on recharges (user_id, id desc);

create table payments (
  id bigint generated always as identity primary key,
  payment_no text not null unique,
  user_id bigint not null references users (id),
  order_id bigint references orders (id),
  recharge_id bigint references recharges (id),
  method text not null,
  currency char(3) not null,
  amount bigint not null check (amount > 0),
  state text not null default 'pending' check (state in ('pending', 'paid', 'failed')),
  provider_ref text,
  locale text not null default 'zh-CN',
  created_at timestamptz not null default clock_timestamp(),
  expire_at timestamptz not null,
  ended_at timestamptz,
  check ((order_id is null) <> (recharge_id is null))
);
create index payments_order on payments (order_id) where order_id is not null;
create index payments_recharge on payments (recharge_id) where recharge_id is not null;
create unique index payments_provider_ref on payments (method, provider_ref) where provider_ref is not null;

-- An ended payment never changes.
create function payments_guard() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending' or new.amount <> old.amount or new.currency <> old.currency then
    raise exception 'payment % does not change', old.payment_no using errcode = '55000';
  end if;
  return new;
end $$;
create trigger payments_end_once before update on payments for each row execute function payments_guard();

-- Takes a provider's word, already checked, for a payment. Answers what was done with the money:
-- 'duplicate', 'failed', 'order', 'recharge', or 'wallet' (its order was closed or paid already).
create function payment_end(p_payment bigint, p_paid boolean, p_ref text) returns text language plpgsql as $$
declare
  p payments;
  o orders;
  v_open boolean;
  v_transaction bigint;
begin
  select * into p from payments where id = p_payment for update;
  if p.state <> 'pending' then
    return 'duplicate';
  end if;
  update payments set state = case when p_paid then 'paid' else 'failed' end, provider_ref = p_ref,
      ended_at = clock_timestamp() where id = p.id;
  if not p_paid then
    return 'failed';
  end if;
  if p.recharge_id is not null then
    update recharges set state = 'paid', paid_at = clock_timestamp() where id = p.recharge_id and state <> 'paid';
    perform wallet_post(p.user_id, p.currency, 1, p.amount, 0, 'cash', null, p.recharge_id, p.id, p.method, 'provider');
    return 'recharge';
  end if;
  select * into o from orders where id = p.order_id for update;
  v_open := o.status = 10 and o.closed_at is null and o.expire_at > clock_timestamp();
  if not v_open then
    perform wallet_post(p.user_id, p.currency, 1, p.amount, 0, 'cash', o.id, null, p.id, 'late', 'provider');
    return 'wallet';
  end if;
  insert into ledger_transactions (type, user_id, order_id, payment_id, remark, actor)
    values (0, p.user_id, o.id, p.id, p.method, 'provider') returning id into v_transaction;
  insert into ledger_entries (transaction_id, account, currency, amount)
    values (v_transaction, 'cash', p.currency, -p.amount), (v_transaction, 'sales', p.currency, p.amount);
  perform order_settle(o.id, p.method, p.id);
  return 'order';
end $$;
