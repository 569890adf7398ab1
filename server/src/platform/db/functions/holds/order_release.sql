-- Releases an order that was on hold, which continues as order_settle lets others. Returns false when it is not on hold, its
-- payment is disputed or a dispute was lost, or its refund waits for a second member of staff.
create or replace function order_release(p_order bigint, p_actor text) returns boolean language plpgsql as $$
declare
  o orders;
begin
  select * into o from orders where id = p_order for update;
  if not found or o.held_until is null or o.disputed or staff_refund_waits(o.id)
      or exists (select 1 from payment_disputes where payment_id = o.payment_id and state = 'lost') then
    return false;
  end if;
  update orders set held_until = null, status = case recharge_type when 1 then 30 else 12 end,
      delivery_status = case recharge_type when 1 then 20 else 10 end,
      finished_at = case recharge_type when 1 then clock_timestamp() end
    where id = o.id;
  update order_holds set state = 'released', ended_at = clock_timestamp(), ended_by = p_actor where order_id = o.id;
  insert into order_events (order_id, kind, status, delivery_status, actor) values (o.id, 'released', 12, 10, p_actor);
  perform order_hand_over(o);
  return true;
end $$;
