-- 10/0 to closed. Returns false when the order was no longer open.
create or replace function order_close(p_order bigint, p_reason integer, p_actor text) returns boolean language plpgsql as $$
declare
  o orders;
begin
  update orders set closed_at = clock_timestamp(), close_reason = p_reason, fields_cipher = null
    where id = p_order and status = {OrderStatus.Unpaid} and closed_at is null returning * into o;
  if not found then
    return false;
  end if;
  perform rate_limit_hits(array['closed:' || o.user_id], 3600);
  perform stock_give_back(o.id, o.spec_id, o.recharge_type, o.quantity);
  update user_coupons set use_status = {CouponUseStatus.Unused}, order_id = null where order_id = o.id and use_status = {CouponUseStatus.Used};
  insert into order_events (order_id, kind, status, delivery_status, note, actor)
    values (o.id, 'closed', 10, 0, p_reason::text, p_actor);
  return true;
end $$;
