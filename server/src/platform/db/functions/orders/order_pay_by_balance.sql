-- Pays an order from its owner's wallet in one call. A paid order is returned unchanged, without a second debit.
create or replace function order_pay_by_balance(p_user bigint, p_order_no text) returns orders language plpgsql as $$
declare
  o orders;
begin
  select * into o from orders where order_no = p_order_no and user_id = p_user for update;
  if not found then
    raise exception '43404' using errcode = 'SHOPE';
  elsif o.status in ({OrderStatus.Paid}, {OrderStatus.Finished}) then
    return o;
  elsif o.status = {OrderStatus.Refunded} then
    raise exception '43020' using errcode = 'SHOPE';
  elsif o.closed_at is not null or o.expire_at <= clock_timestamp() then
    raise exception '43021' using errcode = 'SHOPE';
  end if;
  if o.total_amount > 0 then
    perform wallet_post(o.user_id, o.currency, 0, -o.total_amount, 0, 'sales', o.id, null, null, '', 'user');
  end if;
  perform order_settle(o.id, 'balance', null);
  select * into o from orders where id = o.id;
  return o;
end $$;
