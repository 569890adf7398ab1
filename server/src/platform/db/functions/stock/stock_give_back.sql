-- Reverts stock_take and shared_code_take for codes that were not sold, or for p_quantity units. A counter that began after the
-- order was placed gets nothing back.
create or replace function stock_give_back(p_order bigint, p_spec bigint, p_recharge_type integer, p_quantity integer)
returns void language plpgsql as $$
declare
  v_counts boolean := p_recharge_type <> {RechargeType.CardCode};
begin
  if p_recharge_type = {RechargeType.CardCode} then
    update card_codes set state = {CardState.Free}, order_id = null where id in (
      select id from card_codes where order_id = p_order and state = {CardState.Reserved} order by id desc limit p_quantity);
    if not found then
      update shared_code_orders set quantity = quantity - p_quantity where order_id = p_order and text_id is null;
      v_counts := found;
    end if;
  end if;
  if v_counts then
    update goods_specs s set stock = s.stock + p_quantity from orders o
      where s.id = p_spec and s.stock is not null and o.id = p_order and o.counter = s.counter;
  end if;
end $$;
