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
    -- Only a refund for its risk (RISK_REASON of hold-settings.ts) makes the network suspicious.
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
  insert into order_events (order_id, kind, status, delivery_status, note, actor)
    values (o.id, case when p_whole then 'refunded' else 'refunded_part' end || case p_target when 'source' then '_source' else '' end,
      o.status, o.delivery_status, case when p_whole then p_reason else p_amount::text end, p_actor);
end $$;
