-- Payments at real providers. opened: where the shopper pays and the provider's own name of the payment; ask_at: when the
-- provider is asked what has become of it. closed: the provider takes no money for it any more.
alter table payments drop constraint payments_state_check;
alter table payments add constraint payments_state_check check (state in ('pending', 'paid', 'failed', 'closed'));
alter table payments add column opened jsonb, add column ask_at timestamptz, add column asks integer not null default 0;
create index payments_ask on payments (ask_at) where state = 'pending' and ask_at is not null;

alter table users add column unionid text unique;

-- As before, and: money that arrives for a payment which had failed or was closed is still the shopper's. It goes to the
-- wallet, once; the payment's row stays as it ended.
create or replace function payment_end(p_payment bigint, p_paid boolean, p_ref text) returns text language plpgsql as $$
declare
  p payments;
  o orders;
  v_open boolean;
  v_transaction bigint;
begin
  select * into p from payments where id = p_payment for update;
  if p.state = 'pending' then
    update payments set state = case when p_paid then 'paid' else 'failed' end, provider_ref = p_ref,
        ended_at = clock_timestamp() where id = p.id;
    if not p_paid then
      return 'failed';
    end if;
  elsif not p_paid or p.state = 'paid' or exists (select 1 from ledger_transactions where payment_id = p.id) then
    return 'duplicate';
  end if;
  if p.recharge_id is not null then
    update recharges set state = 'paid', paid_at = clock_timestamp() where id = p.recharge_id and state <> 'paid';
    perform wallet_post(p.user_id, p.currency, 1, p.amount, 0, 'cash', null, p.recharge_id, p.id, p.method, 'provider');
    return 'recharge';
  end if;
  select * into o from orders where id = p.order_id for update;
  v_open := p.state = 'pending' and o.status = 10 and o.closed_at is null and o.expire_at > clock_timestamp();
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

-- Money that goes from the wallet back to where it was paid from.
create table payment_refunds (
  id bigint generated always as identity primary key,
  refund_no text not null unique,
  payment_id bigint not null references payments (id),
  amount bigint not null check (amount > 0),
  state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
  reason text not null default '',
  detail text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  ask_at timestamptz not null default clock_timestamp(),
  asks integer not null default 0,
  ended_at timestamptz
);
create index payment_refunds_payment on payment_refunds (payment_id);
create index payment_refunds_ask on payment_refunds (ask_at) where state = 'pending';

-- Takes the amount out of the wallet and writes down that the provider is to pay it back; all refunds of a payment together
-- never exceed it. Raises SHOPE 43404, 43020 (not paid), 45011 (more than is left), 45001 (the wallet holds less).
create function payment_refund_start(p_payment_no text, p_refund_no text, p_amount bigint, p_reason text, p_actor text)
returns void language plpgsql as $$
declare
  p payments;
  v_refunded bigint;
begin
  select * into p from payments where payment_no = p_payment_no for update;
  if not found then
    raise exception '43404' using errcode = 'SHOPE';
  elsif not exists (select 1 from ledger_transactions where payment_id = p.id and type in (0, 1)) then
    raise exception '43020' using errcode = 'SHOPE';
  end if;
  select coalesce(sum(amount), 0) into v_refunded from payment_refunds where payment_id = p.id and state <> 'failed';
  if v_refunded + p_amount > p.amount then
    raise exception '45011' using errcode = 'SHOPE';
  end if;
  perform wallet_post(p.user_id, p.currency, 3, -p_amount, 0, 'cash', null, null, p.id, p_reason, p_actor);
  insert into payment_refunds (refund_no, payment_id, amount, reason) values (p_refund_no, p.id, p_amount, p_reason);
end $$;

-- The provider's answer. A refusal gives the money back to the wallet, once. Answers false when the refund had ended.
create function payment_refund_end(p_refund_no text, p_done boolean, p_detail text) returns boolean language plpgsql as $$
declare
  r payment_refunds;
  p payments;
begin
  update payment_refunds set state = case when p_done then 'done' else 'failed' end, detail = p_detail,
      ended_at = clock_timestamp()
    where refund_no = p_refund_no and state = 'pending' returning * into r;
  if not found then
    return false;
  end if;
  if not p_done then
    select * into p from payments where id = r.payment_id;
    perform wallet_post(p.user_id, p.currency, 2, r.amount, 0, 'cash', null, null, p.id, p_detail, 'provider');
  end if;
  return true;
end $$;
