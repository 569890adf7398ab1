-- Fewer than 20 pieces are left for others. It is PL/pgSQL, because an SQL function would be planned again for every order.
create or replace function stock_is_low(p_spec bigint, p_recharge_type integer) returns boolean language plpgsql stable as $$
begin
  if p_recharge_type = {RechargeType.CardCode} then
    return (select count(*) from (select 1 from card_codes where spec_id = p_spec and state = {CardState.Free} limit 20) free) < 20;
  end if;
  return coalesce((select stock < 20 from goods_specs where id = p_spec), false);
end $$;
