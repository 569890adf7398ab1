-- Reserves pieces of a specification that sells one text many times for an order. Raises SHOPE 42220 when its counter has too
-- few, or it is no longer sold this way.
create or replace function shared_code_take(p_order bigint, p_spec bigint, p_quantity integer) returns void language plpgsql as $$
declare
  v_counter integer;
begin
  update goods_specs set stock = stock - p_quantity where id = p_spec and shared and stock >= p_quantity returning counter into v_counter;
  if found then
    update orders set counter = v_counter where id = p_order;
  elsif not exists (select 1 from goods_specs where id = p_spec and shared and stock is null) then
    raise exception '42220' using errcode = 'SHOPE';
  end if;
  insert into shared_code_orders (order_id, spec_id, quantity) values (p_order, p_spec, p_quantity);
end $$;
