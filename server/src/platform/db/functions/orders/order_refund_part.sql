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
    if r.order_id <> o.id or r.target <> p_target or r.amount <> coalesce(p_amount, r.amount) or r.quantity < p_quantity
        or (r.quantity > p_quantity and o.status <> {OrderStatus.Refunded}) then
      raise exception '40902' using errcode = 'SHOPE';
    end if;
    return r;
  elsif o.status not in ({OrderStatus.Paid}, {OrderStatus.Finished}) then
    raise exception '43020' using errcode = 'SHOPE';
  elsif exists (select 1 from supplier_requests where order_id = o.id and state = {RequestState.Open}) then
    raise exception '43022' using errcode = 'SHOPE';
  end if;
  v_left := o.total_amount - o.refunded_amount;
  v_amount := coalesce(p_amount, case when p_quantity is null then v_left else least(v_left,
    o.total_amount * (o.refunded_quantity + v_units) / o.quantity - o.total_amount * o.refunded_quantity / o.quantity) end);
  if v_amount > v_left or v_units > o.quantity - o.refunded_quantity or p_amount < 0 or (p_amount = 0 and v_left > 0)
      or (select count(*) from card_codes where order_id = o.id and state = {CardState.Sold} and id = any (p_codes))
        <> coalesce(cardinality(p_codes), 0) or cardinality(p_codes) <> v_units then
    raise exception '43023' using errcode = 'SHOPE';
  end if;
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
