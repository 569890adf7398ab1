create or replace function staff_refund_waits(p_order bigint) returns boolean language sql as $$
  select exists (select 1 from staff_refunds where order_id = p_order and state = 'waiting')
$$;

-- Only the provider may refund money while the payment is disputed.
create or replace function refuse_refund_while_disputed() returns trigger language plpgsql as $$
begin
  perform refuse_if((select disputed from orders where id = new.order_id), '43024');
  return new;
end $$;

-- Refunds all remaining money to the wallet. Returns false when there is nothing to refund.
create or replace function order_refund(p_order bigint, p_reason text, p_actor text) returns boolean language plpgsql as $$
begin
  perform 1 from orders where id = p_order and status in ({OrderStatus.Paid}, {OrderStatus.Finished}) for update;
  if not found then
    return false;
  end if;
  perform order_refund_part(p_order, 'R' || replace(gen_random_uuid()::text, '-', ''), null, null, 'wallet', p_reason, p_actor);
  return true;
end $$;

-- Refunds p_amount, or the share of p_quantity units after the coupon, or with neither all that is left. p_codes are the sold
-- codes of those units. When no money of the order is left, the order is refunded; a free order is refunded with its last unit.
-- Its units, codes and coupon are then returned. The same number again changes nothing and returns the first refund. Raises SHOPE
-- 40902 (the number belongs to another refund), 43020 (not paid), 43022 (the supplier may still deliver), 43023 (more than is
-- left, or the number of the order's codes differs from the units).
create or replace function order_refund_part(p_order bigint, p_refund_no text, p_amount bigint, p_quantity integer, p_target text,
  p_reason text, p_actor text, p_codes bigint[] default null) returns order_refunds language plpgsql as $$
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
    -- A refund of the last money includes all remaining units.
    perform refuse_if(r.order_id <> o.id or r.target <> p_target or r.amount <> coalesce(p_amount, r.amount)
      or r.quantity < p_quantity or (r.quantity > p_quantity and o.status <> {OrderStatus.Refunded}), '40902');
    return r;
  end if;
  perform refuse_if(o.status not in ({OrderStatus.Paid}, {OrderStatus.Finished}), '43020');
  perform refuse_if(exists (select 1 from supplier_requests where order_id = o.id and state = {RequestState.Open}), '43022');
  v_left := o.total_amount - o.refunded_amount;
  v_amount := coalesce(p_amount, case when p_quantity is null then v_left else least(v_left,
    o.total_amount * (o.refunded_quantity + v_units) / o.quantity - o.total_amount * o.refunded_quantity / o.quantity) end);
  perform refuse_if(v_amount > v_left or v_units > o.quantity - o.refunded_quantity or p_amount < 0 or (p_amount = 0 and v_left > 0)
    or (select count(*) from card_codes where order_id = o.id and state = {CardState.Sold} and id = any (p_codes))
      <> coalesce(cardinality(p_codes), 0) or cardinality(p_codes) <> v_units, '43023');
  v_whole := v_amount = v_left and (v_left > 0 or p_quantity is null or v_units = o.quantity - o.refunded_quantity);
  if v_whole then
    v_units := o.quantity - o.refunded_quantity;
  end if;
  insert into order_refunds (refund_no, order_id, amount, quantity, target, reason, actor)
    values (p_refund_no, o.id, v_amount, v_units, p_target, p_reason, p_actor) returning * into r;
  if v_amount > 0 then
    perform wallet_post(o.user_id, o.currency, 2, v_amount, 0, 'sales', o.id, null, null, p_reason, p_actor);
  end if;
  perform order_refunded(o.id, v_amount, v_units, v_whole, p_target, p_reason, p_actor, p_codes);
  return r;
end $$;

-- Applies a refund to its order, whichever way the money went. Of delivered units it voids p_codes first, then the last ones. The
-- coupon of an order whose payment is disputed stays used. The caller has locked the order's row.
create or replace function order_refunded(p_order bigint, p_amount bigint, p_units integer, p_whole boolean, p_target text, p_reason text,
  p_actor text, p_codes bigint[] default null) returns void language plpgsql as $$
declare
  o orders;
begin
  update orders set refunded_amount = refunded_amount + p_amount, refunded_quantity = refunded_quantity + p_units,
      status = case when p_whole then 60 else status end,
      refunded_at = case when p_whole then clock_timestamp() else refunded_at end,
      refund_state = case when p_whole then 'refunded' when refund_state = 'requested' then 'none' else refund_state end,
      refund_reason = case when p_whole and p_reason <> '' then p_reason else refund_reason end,
      fields_cipher = case when p_whole then null else fields_cipher end,
      held_until = case when p_whole then null else held_until end
    where id = p_order returning * into o;
  if p_whole then
    -- Only a refund for its risk (RISK_REASON of order-texts.ts) makes the network suspicious.
    update order_holds set state = case p_reason when 'risk' then 'refunded' else 'cancelled' end, ended_at = clock_timestamp(), ended_by = p_actor
      where order_id = o.id and state = 'held';
    update supplier_requests set state = {RequestState.Refused}, next_at = 'infinity', detail = 'not sent: the order was refunded'
      where order_id = o.id and state = {RequestState.ToSend};
    update user_coupons set use_status = case when end_time > clock_timestamp() then 1 else 3 end, order_id = null
      where order_id = o.id and use_status = {CouponUseStatus.Used} and not o.disputed;
  end if;
  if p_units > 0 and o.delivery_status = {DeliveryStatus.ToDeliver} then
    perform stock_give_back(o.id, o.spec_id, o.recharge_type, p_units);
  elsif p_units > 0 then
    update card_codes set state = {CardState.Void} where id in (
      select id from card_codes where order_id = o.id and state = {CardState.Sold} 
       order by coalesce(id = any (p_codes), false) desc, id desc limit p_units);
  end if;
  perform order_event(o.id, case when p_whole then 'refunded' else 'refunded_part' end || case p_target when 'source' then '_source' else '' end,
    case when p_whole then p_reason else p_amount::text end, p_actor);
end $$;
