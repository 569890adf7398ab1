-- Undoes stock_take for codes that were not sold, or for p_quantity units.
create or replace function stock_give_back(p_order bigint, p_spec bigint, p_recharge_type integer, p_quantity integer)
returns void language plpgsql as $$
begin
  if p_recharge_type = {RechargeType.CardCode} then
    update card_codes set state = {CardState.Free}, order_id = null where id in (
      select id from card_codes where order_id = p_order and state = {CardState.Reserved} order by id desc limit p_quantity);
    if not found then
      update shared_code_orders set quantity = quantity - p_quantity where order_id = p_order and version_id is null;
      if found then
        update goods_specs set stock = stock + p_quantity where id = p_spec and shared and stock is not null;
      end if;
    end if;
  elsif p_spec is not null then
    update goods_specs set stock = stock + p_quantity where id = p_spec and stock is not null;
  end if;
end $$;
