-- Refunds that were begun at the provider, and disputes. Each is booked once, however often and in whatever order it is told.
alter table ledger_transactions drop constraint ledger_transactions_type_check;
-- 6 a move between accounts of the shop
alter table ledger_transactions add constraint ledger_transactions_type_check check (type between 0 and 6);

create table provider_refunds (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id),
  provider_id text not null,
  amount bigint not null check (amount > 0),
  -- What the shopper had received by another way before, and could not be taken back: for the staff.
  lost bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  unique (payment_id, provider_id)
);
create table payment_disputes (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id),
  provider_id text not null,
  amount bigint not null check (amount > 0),
  reason text not null default '',
  state text not null default 'open' check (state in ('open', 'won', 'lost')),
  -- The provider has taken the money, and given it back.
  withdrawn boolean not null default false,
  reinstated boolean not null default false,
  -- What of the wallet is frozen until the end, where the payment's money went there.
  frozen bigint not null default 0,
  lost bigint not null default 0,
  opened_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  unique (payment_id, provider_id)
);
create index payment_disputes_open on payment_disputes (payment_id) where state = 'open';
-- While a payment of it is disputed an order shows no code, goes to no supplier and is not refunded.
alter table orders add column disputed boolean not null default false;

-- Money between two accounts of the shop.
create function shop_post(p_type integer, p_payment payments, p_order bigint, p_from text, p_to text, p_amount bigint, p_remark text)
returns void language plpgsql as $$
declare
  v_transaction bigint;
begin
  insert into ledger_transactions (type, user_id, order_id, remark, actor)
    values (p_type, p_payment.user_id, p_order, p_remark, 'provider') returning id into v_transaction;
  insert into ledger_entries (transaction_id, account, currency, amount)
    values (v_transaction, p_from, p_payment.currency, -p_amount), (v_transaction, p_to, p_payment.currency, p_amount);
end $$;

-- Books that p_amount of a payment went back to its payer through the account p_through: as a refund of the order that it paid,
-- as far as that was not refunded; the rest out of the wallet; what the wallet lacks is the shop's loss, which is returned. The
-- caller holds the order's row and the payment's.
create function payment_went_back(p_payment payments, p_amount bigint, p_through text, p_number text) returns bigint
language plpgsql as $$
declare
  o orders;
  v_part bigint := 0;
  v_rest bigint;
  v_taken bigint;
  v_whole boolean;
  v_units integer;
begin
  select * into o from orders where id = p_payment.order_id and payment_id = p_payment.id and status in (12, 30);
  if found then
    v_part := least(p_amount, o.total_amount - o.refunded_amount);
  end if;
  if v_part > 0 then
    v_whole := v_part = o.total_amount - o.refunded_amount
      and not exists (select 1 from supplier_requests where order_id = o.id and state = 1);
    v_units := case when v_whole then o.quantity - o.refunded_quantity else 0 end;
    insert into order_refunds (refund_no, order_id, amount, quantity, target, reason, actor)
      values (p_number, o.id, v_part, v_units, 'source', '', 'provider');
    perform shop_post(2, p_payment, o.id, 'sales', p_through, v_part, p_payment.payment_no);
    perform order_refunded(o.id, v_part, v_units, v_whole, 'source', '', 'provider');
  end if;
  v_rest := p_amount - v_part;
  if v_rest = 0 then
    return 0;
  end if;
  insert into wallets (user_id, currency) values (p_payment.user_id, p_payment.currency) on conflict do nothing;
  select least(balance, v_rest) into v_taken from wallets
    where user_id = p_payment.user_id and currency = p_payment.currency for update;
  if v_taken > 0 then
    perform wallet_post(p_payment.user_id, p_payment.currency, 3, -v_taken, 0, p_through, null, null, null,
      p_payment.payment_no, 'provider');
  end if;
  if v_rest > v_taken then
    perform shop_post(6, p_payment, null, 'loss', p_through, v_rest - v_taken, p_payment.payment_no);
  end if;
  return v_rest - v_taken;
end $$;

-- A refund that the shop did not begin: of p_amount, or with p_total what of all refunds of the payment is not known yet.
-- Raises SHOPE 43020 (the payment brought no money so far) and 45011 (more than was paid).
create function provider_refund_book(p_payment bigint, p_provider_id text, p_amount bigint, p_total bigint) returns text
language plpgsql as $$
declare
  p payments;
  v_known bigint;
  v_amount bigint;
  v_lost bigint;
begin
  select * into p from payments where id = p_payment for update;
  if not exists (select 1 from ledger_transactions where payment_id = p.id and type in (0, 1)) then
    raise exception '43020' using errcode = 'SHOPE';
  elsif exists (select 1 from provider_refunds where payment_id = p.id and provider_id = p_provider_id) then
    return 'duplicate';
  end if;
  v_known := (select coalesce(sum(amount), 0) from payment_refunds where payment_id = p.id and state <> 'failed')
    + (select coalesce(sum(amount), 0) from provider_refunds where payment_id = p.id);
  v_amount := coalesce(p_amount, p_total - v_known);
  if v_amount <= 0 then
    return 'duplicate';
  elsif v_known + v_amount > p.amount then
    raise exception '45011' using errcode = 'SHOPE';
  end if;
  v_lost := payment_went_back(p, v_amount, 'cash', 'P' || md5(p.id || ' refund ' || p_provider_id));
  insert into provider_refunds (payment_id, provider_id, amount, lost) values (p.id, p_provider_id, v_amount, v_lost);
  return 'refunded';
end $$;

-- p_change: opened, withdrawn, reinstated, won or lost. The first that is told freezes the order or the wallet's money.
create function dispute_book(p_payment bigint, p_provider_id text, p_amount bigint, p_reason text, p_change text) returns text
language plpgsql as $$
declare
  p payments;
  o orders;
  d payment_disputes;
  v_new boolean;
begin
  select * into p from payments where id = p_payment for update;
  if not exists (select 1 from ledger_transactions where payment_id = p.id and type in (0, 1)) then
    raise exception '43020' using errcode = 'SHOPE';
  elsif p_amount > p.amount then
    raise exception '45011' using errcode = 'SHOPE';
  end if;
  insert into payment_disputes (payment_id, provider_id, amount, reason) values (p.id, p_provider_id, p_amount, p_reason)
    on conflict do nothing;
  v_new := found;
  select * into d from payment_disputes where payment_id = p.id and provider_id = p_provider_id for update;
  select * into o from orders where id = p.order_id and payment_id = p.id;
  if v_new and o.id is not null then
    update orders set disputed = true where id = o.id;
    insert into order_events (order_id, kind, status, delivery_status, actor)
      values (o.id, 'disputed', o.status, o.delivery_status, 'provider');
  elsif v_new then
    select least(balance, d.amount) into d.frozen from wallets where user_id = p.user_id and currency = p.currency for update;
    d.frozen := coalesce(d.frozen, 0);
    if d.frozen > 0 then
      perform wallet_post(p.user_id, p.currency, 4, -d.frozen, d.frozen, 'adjustment', null, null, null, p.payment_no, 'provider');
      update payment_disputes set frozen = d.frozen where id = d.id;
    end if;
  end if;
  if p_change = 'withdrawn' and not d.withdrawn then
    update payment_disputes set withdrawn = true where id = d.id;
    perform shop_post(6, p, null, 'disputed', 'cash', d.amount, p.payment_no);
  elsif p_change = 'reinstated' and not d.reinstated then
    update payment_disputes set reinstated = true where id = d.id;
    perform shop_post(6, p, null, 'cash', 'disputed', d.amount, p.payment_no);
  elsif p_change in ('won', 'lost') and d.state = 'open' then
    if d.frozen > 0 then
      perform wallet_post(p.user_id, p.currency, 5, d.frozen, -d.frozen, 'adjustment', null, null, null, p.payment_no, 'provider');
    end if;
    if p_change = 'lost' then
      d.lost := payment_went_back(p, d.amount, 'disputed', 'P' || md5(p.id || ' dispute ' || p_provider_id));
    end if;
    update payment_disputes set state = p_change, ended_at = clock_timestamp(), frozen = 0, lost = d.lost where id = d.id;
    if o.id is not null then
      update orders set disputed = exists (select 1 from payment_disputes where payment_id = p.id and state = 'open')
        where id = o.id returning * into o;
      insert into order_events (order_id, kind, status, delivery_status, actor)
        values (o.id, 'dispute_' || p_change, o.status, o.delivery_status, 'provider');
    end if;
  elsif not v_new then
    return 'duplicate';
  end if;
  return p_change;
end $$;

-- As before, and: nothing goes back by the shop's own hand while the payment is disputed (43024); what the provider refunded counts.
create or replace function payment_refund_start(p_payment_no text, p_refund_no text, p_amount bigint, p_reason text, p_actor text)
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
  elsif exists (select 1 from payment_disputes where payment_id = p.id and state <> 'won') then
    raise exception '43024' using errcode = 'SHOPE';
  end if;
  v_refunded := (select coalesce(sum(amount), 0) from payment_refunds where payment_id = p.id and state <> 'failed')
    + (select coalesce(sum(amount), 0) from provider_refunds where payment_id = p.id);
  if v_refunded + p_amount > p.amount then
    raise exception '45011' using errcode = 'SHOPE';
  end if;
  perform wallet_post(p.user_id, p.currency, 3, -p_amount, 0, 'cash', null, null, p.id, p_reason, p_actor);
  insert into payment_refunds (refund_no, payment_id, amount, reason) values (p_refund_no, p.id, p_amount, p_reason);
end $$;
create function refuse_refund_while_disputed() returns trigger language plpgsql as $$
begin
  if (select disputed from orders where id = new.order_id) then
    raise exception '43024' using errcode = 'SHOPE';
  end if;
  return new;
end $$;
create trigger refuse_refund_while_disputed before insert on order_refunds
  for each row when (new.actor <> 'provider') execute function refuse_refund_while_disputed();

-- As before, and: an order whose payment is disputed is not sent.
create or replace function supplier_claim(p_seconds integer) returns setof supplier_requests language plpgsql as $$
declare
  o orders;
  r supplier_requests;
begin
  loop
    select orders.* into o from supplier_requests q join orders on orders.id = q.order_id
     where q.state in (0, 1, 3) and q.next_at < 'infinity' and q.next_at <= clock_timestamp()
       and not (q.state = 0 and orders.disputed)
     order by q.next_at limit 1 for update of orders skip locked;
    if not found then
      return;
    end if;
    select * into r from supplier_requests where order_id = o.id for update;
    continue when r.state not in (0, 1, 3) or r.next_at > clock_timestamp();
    if r.state = 0 and o.status <> 12 then
      update supplier_requests set state = 3, next_at = 'infinity', detail = 'not sent: the order did not wait any more'
       where order_id = o.id;
      continue;
    end if;
    r.tries := r.tries + 1;
    r.lease := r.lease + 1;
    r.sent_at := coalesce(r.sent_at, clock_timestamp());
    update supplier_requests set state = case when r.state = 0 then 1 else r.state end, tries = r.tries, lease = r.lease,
        sent_at = r.sent_at, next_at = clock_timestamp() + make_interval(secs => p_seconds)
     where order_id = o.id;
    return next r;
    return;
  end loop;
end $$;

-- What the daily comparison of a provider's list with the ledger has found; the newest run of a day.
create table reconciliations (
  method text not null,
  day date not null,
  entries integer not null,
  differences jsonb not null,
  run_at timestamptz not null default clock_timestamp(),
  primary key (method, day)
);
