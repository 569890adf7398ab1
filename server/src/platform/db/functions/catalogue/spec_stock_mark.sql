-- The stock mark of a specification. It is PL/pgSQL, because every statement that calls an SQL function which cannot be inlined
-- plans it again.
create or replace function spec_stock_mark(p_recharge_type integer, p_spec bigint, p_stock bigint) returns integer
language plpgsql stable as $$
begin
  if p_recharge_type <> {RechargeType.CardCode} then
    return stock_mark(p_stock);
  end if;
  return stock_mark((select count(*) from (
    select 1 from card_codes c where c.spec_id = p_spec and c.state = {CardState.Free}
       and (c.expire_at is null or c.expire_at > clock_timestamp()) limit 11) free));
end $$;
