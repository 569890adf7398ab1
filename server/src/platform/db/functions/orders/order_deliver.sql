-- 12/10 to 30/20. Ends the request to the supplier, even if staff deliver. Returns false when the order did not wait for delivery, or
-- is on hold for review. A delivery by the supplier stores its cost as the last poll knows it; a later refund does not change that.
create or replace function order_deliver(p_order bigint, p_note text, p_actor text) returns boolean language plpgsql as $$
begin
  update orders o set status = {OrderStatus.Finished}, delivery_status = {DeliveryStatus.Delivered}, finished_at = clock_timestamp(), fields_cipher = null,
      cost = case when p_actor = 'supplier' then (o.quantity - o.refunded_quantity) * (select (f.costs ->> o.currency)::bigint from supplier_offers f
        where f.spec_id = o.spec_id and f.stock_type = o.stock_type) end
    where id = p_order and status = {OrderStatus.Paid} and delivery_status = {DeliveryStatus.ToDeliver} and held_until is null;
  if not found then
    return false;
  end if;
  update supplier_requests set state = {RequestState.Delivered}, next_at = 'infinity' where order_id = p_order and state in ({RequestState.ToSend}, {RequestState.Open});
  insert into order_events (order_id, kind, status, delivery_status, note, actor)
    values (p_order, 'delivered', 30, 20, p_note, p_actor);
  return true;
end $$;
