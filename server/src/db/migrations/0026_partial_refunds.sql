-- Refunds of an order, in parts or whole. quantity: units that were taken back with the money.
create table order_refunds (
  id bigint generated always as identity primary key,
  refund_no text not null unique,
  order_id bigint not null references orders (id),
  amount bigint not null check (amount >= 0),
  quantity integer not null check (quantity >= 0),
  -- wallet, or source: on from the wallet to where the payment came from, by the payment refund of the same number
  target text not null check (target in ('wallet', 'source')),
  reason text not null default '',
  actor text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index order_refunds_order on order_refunds (order_id);
create trigger order_refunds_append_only before update or delete on order_refunds
  for each row execute function refuse_change();

alter table orders
  add column refunded_amount bigint not null default 0,
  add column refunded_quantity integer not null default 0;
insert into order_refunds (refund_no, order_id, amount, quantity, target, reason, actor, created_at)
  select 'R' || order_no, id, total_amount, quantity, 'wallet', refund_reason, 'migration', coalesce(refunded_at, clock_timestamp())
    from orders where status = 60;
update orders set refunded_amount = total_amount, refunded_quantity = quantity where status = 60;
alter table orders
  add check (refunded_amount between 0 and total_amount),
  add check (refunded_quantity between 0 and quantity),
  add check (status <> 60 or refunded_amount = total_amount);

-- One refund an order becomes: together never more than was paid, whatever the code above does.
drop index ledger_one_refund;
create index ledger_refunds on ledger_transactions (order_id) where type = 2;
create function ledger_refund_bound() returns trigger language plpgsql as $$
begin
  if (select coalesce(sum(-e.amount), 0) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
       where t.order_id = new.order_id and t.type = 2 and e.account = 'sales')
     > (select total_amount from orders where id = new.order_id) then
    raise exception 'order % is refunded beyond what was paid', new.order_id using errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger ledger_refunds_bounded after insert on ledger_transactions
  deferrable initially deferred for each row when (new.type = 2 and new.order_id is not null)
  execute function ledger_refund_bound();

-- Refunds p_amount, or the share of p_quantity units after the coupon, or with neither all that is left. With nothing left of its
-- money the order is refunded: its units, codes and coupon come back. The same number again changes nothing.
-- Raises SHOPE 40902 (the number is another refund's), 43020 (not paid), 43022 (the supplier may still deliver), 43023 (more than
-- is left).
create function order_refund_part(p_order bigint, p_refund_no text, p_amount bigint, p_quantity integer, p_target text,
  p_reason text, p_actor text) returns order_refunds language plpgsql as $$
declare
  o orders;
  r order_refunds;
  v_left bigint;
  v_units integer := coalesce(p_quantity, 0);
  v_amount bigint;
  v_whole boolean;
begin
  select * into o from orders where id = p_order for update;
  select * into r from order_refunds where refund_no = p_refund_no;
  if found then
    if r.order_id <> o.id or r.target <> p_target or r.amount <> coalesce(p_amount, r.amount)
        or r.quantity <> coalesce(p_quantity, r.quantity) then
      raise exception '40902' using errcode = 'SHOPE';
    end if;
    return r;
  elsif o.status not in (12, 30) then
    raise exception '43020' using errcode = 'SHOPE';
  elsif exists (select 1 from supplier_requests where order_id = o.id and state = 1) then
    raise exception '43022' using errcode = 'SHOPE';
  end if;
  v_left := o.total_amount - o.refunded_amount;
  v_amount := coalesce(p_amount, case when p_quantity is null then v_left else least(v_left,
    o.total_amount * (o.refunded_quantity + v_units) / o.quantity - o.total_amount * o.refunded_quantity / o.quantity) end);
  if v_amount > v_left or v_units > o.quantity - o.refunded_quantity or (v_amount <= 0 and v_left > 0) then
    raise exception '43023' using errcode = 'SHOPE';
  end if;
  v_whole := v_amount = v_left;
  if v_whole then
    v_units := o.quantity - o.refunded_quantity;
  end if;
  insert into order_refunds (refund_no, order_id, amount, quantity, target, reason, actor)
    values (p_refund_no, o.id, v_amount, v_units, p_target, p_reason, p_actor) returning * into r;
  if v_amount > 0 then
    perform wallet_post(o.user_id, o.currency, 2, v_amount, 0, 'sales', o.id, null, null, p_reason, p_actor);
  end if;
  perform order_refunded(o.id, v_amount, v_units, v_whole, p_target, p_reason, p_actor);
  return r;
end $$;

-- What a refund does to its order, whichever way the money went. The caller holds the order's row.
create function order_refunded(p_order bigint, p_amount bigint, p_units integer, p_whole boolean, p_target text, p_reason text,
  p_actor text) returns void language plpgsql as $$
declare
  o orders;
begin
  update orders set refunded_amount = refunded_amount + p_amount, refunded_quantity = refunded_quantity + p_units,
      status = case when p_whole then 60 else status end,
      refunded_at = case when p_whole then clock_timestamp() else refunded_at end,
      refund_state = case when p_whole then 'refunded' when refund_state = 'requested' then 'none' else refund_state end,
      refund_reason = case when p_whole and p_reason <> '' then p_reason else refund_reason end,
      fields_cipher = case when p_whole then null else fields_cipher end
    where id = p_order returning * into o;
  if p_whole then
    update supplier_requests set state = 3, next_at = 'infinity', detail = 'not sent: the order was refunded'
      where order_id = o.id and state = 0;
    update user_coupons set use_status = case when end_time > clock_timestamp() then 1 else 3 end, order_id = null
      where order_id = o.id and use_status = 2;
  end if;
  if p_units > 0 and o.delivery_status = 10 then
    perform stock_give_back(o.id, o.spec_id, o.recharge_type, p_units);
  elsif p_units > 0 then
    update card_codes set state = 3 where id in (
      select id from card_codes where order_id = o.id and state = 2 order by id desc limit p_units);
  end if;
  insert into order_events (order_id, kind, status, delivery_status, note, actor)
    values (o.id, case when p_whole then 'refunded' else 'refunded_part' end || case p_target when 'source' then '_source' else '' end,
      o.status, o.delivery_status, case when p_whole then p_reason else p_amount::text end, p_actor);
end $$;

-- All that is left, to the wallet. Answers false when there is nothing to refund.
create or replace function order_refund(p_order bigint, p_reason text, p_actor text) returns boolean language plpgsql as $$
begin
  perform 1 from orders where id = p_order and status in (12, 30) for update;
  if not found then
    return false;
  end if;
  perform order_refund_part(p_order, 'R' || replace(gen_random_uuid()::text, '-', ''), null, null, 'wallet', p_reason, p_actor);
  return true;
end $$;

-- As before, and: an order whose refund was to go to the source shows that its wallet has the money instead.
create or replace function payment_refund_end(p_refund_no text, p_done boolean, p_detail text) returns boolean language plpgsql as $$
declare
  r payment_refunds;
  p payments;
begin
  perform 1 from orders where id = (select order_id from order_refunds where refund_no = p_refund_no) for update;
  update payment_refunds set state = case when p_done then 'done' else 'failed' end, detail = p_detail,
      ended_at = clock_timestamp()
    where refund_no = p_refund_no and state = 'pending' returning * into r;
  if not found then
    return false;
  end if;
  if not p_done then
    select * into p from payments where id = r.payment_id;
    perform wallet_post(p.user_id, p.currency, 2, r.amount, 0, 'cash', null, null, p.id, p_detail, 'provider');
    insert into order_events (order_id, kind, status, delivery_status, note, actor)
      select o.id, 'refund_returned', o.status, o.delivery_status, r.amount::text, 'provider'
        from order_refunds f join orders o on o.id = f.order_id where f.refund_no = p_refund_no;
  end if;
  return true;
end $$;
