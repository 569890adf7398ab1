-- An unpaid order is paid: 10/0 to 12/10, or directly to 30/20 for card codes, which the same update delivers; the timeline has
-- both events. An order that the shop's rules put on hold stays at 12/10, and is not delivered before order_release. The caller
-- has locked the order's row and has received the money.
create or replace function order_settle(p_order bigint, p_method text, p_payment bigint) returns void language plpgsql as $$
declare
  o orders;
  h hold_settings;
  v_reasons text[] := '{}';
begin
  select * into h from hold_settings where enabled;
  if found then
    select * into o from orders where id = p_order;
    -- The rule counts the buyer's other paid orders, so their payments are booked one by one. This is an advisory lock rather
    -- than a lock of the buyer's row, which other transactions take before the wallet's.
    if h.codes_per_hour is not null then
      perform pg_advisory_xact_lock(hashtextextended('paid orders ' || o.user_id, 3));
    end if;
    v_reasons := order_hold_reasons(o, p_payment, h);
  end if;
  update orders set status = case when recharge_type = 1 and v_reasons = '{}' then 30 else 12 end,
      delivery_status = case when recharge_type = 1 and v_reasons = '{}' then 20 else 10 end, paid_at = clock_timestamp(),
      finished_at = case when recharge_type = 1 and v_reasons = '{}' then clock_timestamp() end, pay_method = p_method, payment_id = p_payment,
      held_until = case when v_reasons <> '{}' then clock_timestamp() + make_interval(mins => h.minutes) end
    where id = p_order and status = {OrderStatus.Unpaid} and closed_at is null returning * into o;
  if not found then
    raise exception '43020' using errcode = 'SHOPE';
  end if;
  if v_reasons <> '{}' then
    insert into order_holds (order_id, reasons) values (o.id, v_reasons);
    insert into order_events (order_id, kind, status, delivery_status, note)
      values (o.id, 'paid', 12, 10, p_method), (o.id, 'held', 12, 10, '');
    return;
  end if;
  insert into order_events (order_id, kind, status, delivery_status, note) values (o.id, 'paid', 12, 10, p_method);
  perform order_hand_over(o);
end $$;
