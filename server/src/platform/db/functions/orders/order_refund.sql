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
