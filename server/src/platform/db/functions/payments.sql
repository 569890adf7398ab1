-- p_change is opened, withdrawn, reinstated, won or lost. The first reported change freezes the order or the wallet's money.
create or replace function dispute_book(p_payment bigint, p_provider_id text, p_amount bigint, p_reason text, p_change text) returns text
language plpgsql as $$
declare
  p payments;
  o orders;
  d payment_disputes;
  v_new boolean;
begin
  select * into p from payments where id = p_payment for update;
  perform refuse_if(not exists (select 1 from ledger_transactions where payment_id = p.id and type in ({LedgerType.Buy}, {LedgerType.Recharge})), '43020');
  perform refuse_if(p_amount > p.amount, '45011');
  insert into payment_disputes (payment_id, provider_id, amount, reason) values (p.id, p_provider_id, p_amount, p_reason)
    on conflict do nothing;
  v_new := found;
  select * into d from payment_disputes where payment_id = p.id and provider_id = p_provider_id for update;
  select * into o from orders where id = p.order_id and payment_id = p.id;
  if v_new and o.id is not null then
    update orders set disputed = true where id = o.id;
    perform order_event(o.id, 'disputed', '', 'provider');
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
        where id = o.id;
      perform order_event(o.id, 'dispute_' || p_change, '', 'provider');
    end if;
  elsif not v_new then
    return 'duplicate';
  end if;
  return p_change;
end $$;

-- Books a provider's report about a payment, already verified. Returns where the money went: 'duplicate', 'failed', 'order',
-- 'recharge', or 'wallet' (the order was closed or paid already). Money that arrives for a payment which had failed or was closed
-- still belongs to the shopper: it goes to the wallet, once. The payment's row keeps its end state, except for the provider's
-- number, by which disputes and the daily reconciliation find it.
create or replace function payment_end(p_payment bigint, p_paid boolean, p_ref text) returns text language plpgsql as $$
declare
  p payments;
  o orders;
  v_open boolean;
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
  else
    update payments set provider_ref = p_ref where id = p.id;
  end if;
  if p.recharge_id is not null then
    update recharges set state = 'paid', paid_at = clock_timestamp() where id = p.recharge_id and state <> 'paid';
    perform wallet_post(p.user_id, p.currency, 1, p.amount, 0, 'cash', null, p.recharge_id, p.id, p.method, 'provider');
    return 'recharge';
  end if;
  select * into o from orders where id = p.order_id for update;
  v_open := p.state = 'pending' and o.status = {OrderStatus.Unpaid} and o.closed_at is null and o.expire_at > clock_timestamp();
  if not v_open then
    perform wallet_post(p.user_id, p.currency, 1, p.amount, 0, 'cash', o.id, null, p.id, 'late', 'provider');
    return 'wallet';
  end if;
  perform shop_post({LedgerType.Buy}, p, o.id, 'cash', 'sales', p.amount, p.method);
  perform order_settle(o.id, p.method, p.id);
  return 'order';
end $$;

-- All money of a payment that was refunded or is being refunded, by the shop and by the provider.
create or replace function payment_paid_back(p_payment bigint) returns bigint language sql stable as $$
  select ((select coalesce(sum(amount), 0) from payment_refunds where payment_id = p_payment and state <> 'failed')
    + (select coalesce(sum(amount), 0) from provider_refunds where payment_id = p_payment))::bigint
$$;

-- Books the provider's response to a refund, p_end: 'done', 'failed' (it was accepted and not executed, or the money came back
-- later) or 'refused' (it was never accepted). The last two return the money to the wallet, once, and the order shows it. A total
-- that the provider reported before a refusal included the refund, so refunds by others of the same amount are booked now.
-- Returns false when the refund had already ended this way.
create or replace function payment_refund_end(p_refund_no text, p_end text, p_detail text) returns boolean language plpgsql as $$
declare
  r payment_refunds;
  p payments;
  v_total bigint;
begin
  perform 1 from orders where id = (
    select q.order_id from payment_refunds f join payments q on q.id = f.payment_id where f.refund_no = p_refund_no) for update;
  update payment_refunds set state = case p_end when 'done' then 'done' else 'failed' end, accepted = p_end <> 'refused', detail = p_detail,
      ended_at = clock_timestamp()
    where refund_no = p_refund_no and (state = 'pending' or state = 'done' and p_end = 'failed') returning * into r;
  if not found then
    return false;
  end if;
  if p_end <> 'done' then
    select * into p from payments where id = r.payment_id for update;
    perform wallet_post(p.user_id, p.currency, 2, r.amount, 0, 'cash', null, null, p.id, p_detail, 'provider');
    perform order_event(order_id, 'refund_returned', r.amount::text, 'provider') from order_refunds where refund_no = p_refund_no;
  end if;
  if p_end = 'refused' then
    v_total := (select max(substring(provider_id from '^total-(\d+)')::bigint) from provider_refunds where payment_id = p.id);
    if v_total is not null then
      perform provider_refund_book(p.id, 'total-' || v_total, null, v_total);
    end if;
  end if;
  return true;
end $$;

-- Takes the amount out of the wallet and records that the provider must refund it. All refunds of a payment together, including
-- those that the provider began, never exceed it. Raises SHOPE 43404, 43020 (not paid), 43024 (the payment is disputed), 45011
-- (more than is left), 45001 (the wallet holds less).
create or replace function payment_refund_start(p_payment_no text, p_refund_no text, p_amount bigint, p_reason text, p_actor text)
returns void language plpgsql as $$
declare
  p payments;
begin
  select * into p from payments where payment_no = p_payment_no for update;
  perform refuse_if(not found, '43404');
  perform refuse_if(not exists (select 1 from ledger_transactions where payment_id = p.id and type in ({LedgerType.Buy}, {LedgerType.Recharge})), '43020');
  perform refuse_if(exists (select 1 from payment_disputes where payment_id = p.id and state <> 'won'), '43024');
  perform refuse_if(payment_paid_back(p.id) + p_amount > p.amount, '45011');
  perform wallet_post(p.user_id, p.currency, 3, -p_amount, 0, 'cash', null, null, p.id, p_reason, p_actor);
  insert into payment_refunds (refund_no, payment_id, amount, reason) values (p_refund_no, p.id, p_amount, p_reason);
end $$;

-- Books that p_amount of a payment went back to its payer through the account p_through: first as a refund of the order that it
-- paid, as far as that was not refunded; then out of the wallet. The amount that the wallet lacks is the shop's loss, which is
-- returned. The caller has locked the order's row and the payment's.
create or replace function payment_went_back(p_payment payments, p_amount bigint, p_through text, p_number text) returns bigint
language plpgsql as $$
declare
  o orders;
  v_part bigint := 0;
  v_rest bigint;
  v_taken bigint;
  v_whole boolean;
  v_units integer;
begin
  select * into o from orders where id = p_payment.order_id and payment_id = p_payment.id and status in ({OrderStatus.Paid}, {OrderStatus.Finished});
  if found then
    v_part := least(p_amount, o.total_amount - o.refunded_amount);
  end if;
  if v_part > 0 then
    v_whole := v_part = o.total_amount - o.refunded_amount
      and not exists (select 1 from supplier_requests where order_id = o.id and state = {RequestState.Open});
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

-- An ended payment never changes, except for the provider's number when money arrives for a payment that was not paid.
create or replace function payments_guard() returns trigger language plpgsql as $$
begin
  if old.state in ('closed', 'failed') then
    old.provider_ref := new.provider_ref;
  end if;
  if (old.state <> 'pending' and new is distinct from old) or new.amount <> old.amount or new.currency <> old.currency then
    raise exception 'payment % does not change', old.payment_no using errcode = '55000';
  end if;
  return new;
end $$;

-- Books a refund that the shop did not begin: p_amount, or with p_total the part of all refunds of the payment that is not booked
-- yet. A refund of the shop may be in progress while the provider reports the total: it counts as booked until it is refused. So
-- the same total can lead to a new amount, and reports of a provider that sends totals are booked by the missing amount, not by
-- their number. A total of p_at also includes the refunds of the shop that the provider had accepted and that failed later.
-- Raises SHOPE 43020 (the payment has brought no money so far) and 45011 (more than was paid).
create or replace function provider_refund_book(p_payment bigint, p_provider_id text, p_amount bigint, p_total bigint,
  p_at timestamptz default null) returns text language plpgsql as $$
declare
  p payments;
  v_known bigint;
  v_amount bigint;
  v_lost bigint;
  v_id text := p_provider_id;
begin
  select * into p from payments where id = p_payment for update;
  perform refuse_if(not exists (select 1 from ledger_transactions where payment_id = p.id and type in ({LedgerType.Buy}, {LedgerType.Recharge})), '43020');
  if p_total is null and exists (select 1 from provider_refunds where payment_id = p.id and provider_id = p_provider_id) then
    return 'duplicate';
  end if;
  v_known := payment_paid_back(p.id);
  v_amount := coalesce(p_amount, p_total - v_known - (select coalesce(sum(amount), 0)::bigint from payment_refunds
    where payment_id = p.id and state = 'failed' and accepted and ended_at > p_at));
  if v_amount <= 0 then
    return 'duplicate';
  end if;
  perform refuse_if(v_known + v_amount > p.amount, '45011');
  if exists (select 1 from provider_refunds where payment_id = p.id and provider_id = v_id) then
    v_id := v_id || ' beyond ' || v_known;
  end if;
  v_lost := payment_went_back(p, v_amount, 'cash', 'P' || md5(p.id || ' refund ' || v_id));
  insert into provider_refunds (payment_id, provider_id, amount, lost) values (p.id, v_id, v_amount, v_lost);
  return 'refunded';
end $$;
