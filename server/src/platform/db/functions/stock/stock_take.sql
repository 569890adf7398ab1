-- Reserves card codes for an order, or decrements the stock of the specification. Raises SHOPE 42220 when there is not enough, or
-- when its supplier holds it.
create or replace function stock_take(p_order bigint, p_spec bigint, p_recharge_type integer, p_quantity integer)
returns void language plpgsql as $$
declare
  v_taken integer;
  v_counter integer;
begin
  if p_recharge_type = {RechargeType.CardCode} then
    with free as (
      select id from card_codes
       where spec_id = p_spec and state = {CardState.Free} and (expire_at is null or expire_at > clock_timestamp())
       order by id limit p_quantity for update skip locked
    )
    update card_codes c set state = {CardState.Reserved}, order_id = p_order from free where c.id = free.id;
    get diagnostics v_taken = row_count;
    if v_taken < p_quantity then
      raise exception '42220' using errcode = 'SHOPE';
    end if;
  elsif p_spec is not null then
    if exists (select 1 from goods_specs where id = p_spec and supply_hold is not null) then
      raise exception '42220' using errcode = 'SHOPE';
    end if;
    update goods_specs set stock = stock - p_quantity where id = p_spec and stock is not null and stock >= p_quantity
      returning counter into v_counter;
    if found then
      update orders set counter = v_counter where id = p_order;
    elsif exists (select 1 from goods_specs where id = p_spec and stock is not null) then
      raise exception '42220' using errcode = 'SHOPE';
    end if;
  end if;
end $$;
