-- The reasons why an order is put on hold when it is paid, by the rules of the shop. A free order has none.
create or replace function order_hold_reasons(o orders, p_payment bigint, h hold_settings) returns text[] language plpgsql stable as $$
begin
  return (select coalesce(array_agg(r.reason order by r.place), '{}') from (values
    (1, 'amount', o.total_amount >= case o.currency when 'CNY' then h.cny_from else h.usd_from end),
    (2, 'new-account', h.new_account_hours is not null and exists (
      select 1 from users where id = o.user_id and created_at > clock_timestamp() - make_interval(hours => h.new_account_hours))),
    (3, 'codes', h.codes_per_hour is not null and o.recharge_type = {RechargeType.CardCode} and o.quantity + (
      select coalesce(sum(quantity), 0) from orders where user_id = o.user_id and closed_at is null and id <> o.id
         and recharge_type = {RechargeType.CardCode} and paid_at > clock_timestamp() - interval '1 hour') > h.codes_per_hour),
    (4, 'country', h.countries <> '{}' and exists (
      select 1 from payment_countries where payment_id = p_payment and country <> all (h.countries))),
    (5, 'network', h.networks and o.network is not null and (
      exists (select 1 from order_holds b join orders x on x.id = b.order_id where b.state = 'refunded' and x.network = o.network)
      or exists (select 1 from payment_disputes d join payments p on p.id = d.payment_id join orders x on x.id = p.order_id
                  where d.state <> 'won' and x.network = o.network)))
  ) as r (place, reason, holds) where r.holds and o.total_amount > 0);
end $$;

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
