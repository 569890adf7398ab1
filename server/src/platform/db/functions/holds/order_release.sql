-- An order that was held goes on as order_settle lets others. False: it is not held, its payment is disputed or a dispute of it was lost, or
-- its refund waits for a second person.
create or replace function order_release(p_order bigint, p_actor text) returns boolean language plpgsql as $$
declare
  o orders;
  v_cards integer;
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
  if o.recharge_type = {RechargeType.CardCode} then
    update card_codes set state = {CardState.Sold}, sold_at = clock_timestamp() where order_id = o.id and state = {CardState.Reserved};
    get diagnostics v_cards = row_count;
    if v_cards = 0 then
      v_cards := shared_code_deliver(o.id);
    end if;
    if v_cards <> o.quantity - o.refunded_quantity then
      raise exception 'order % holds % of % cards', o.id, v_cards, o.quantity - o.refunded_quantity using errcode = '55000';
    end if;
    insert into order_events (order_id, kind, status, delivery_status) values (o.id, 'delivered', 30, 20);
  elsif o.recharge_type in ({RechargeType.Direct}, {RechargeType.Proxy}) then
    insert into supplier_requests (order_id, supplier, reference) values (o.id, o.stock_type, o.order_no);
  end if;
  return true;
end $$;
