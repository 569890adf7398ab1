-- A sold or voided code never goes back on sale and never changes its order. Once the shop is live, no code of the demonstration
-- can be sold.
create or replace function card_codes_guard() returns trigger language plpgsql as $$
begin
  if old.state = {CardState.Sold} and (new.state not in ({CardState.Sold}, {CardState.Void}) or new.order_id is distinct from old.order_id) then
    raise exception 'card code % is sold', old.id using errcode = '55000';
  elsif old.state = {CardState.Void} and new.state <> {CardState.Void} then
    raise exception 'card code % is voided', old.id using errcode = '55000';
  end if;
  perform refuse_if(new.demo and old.state = {CardState.Free} and new.state in ({CardState.Reserved}, {CardState.Sold})
    and exists (select 1 from live_shop), '42220');
  return new;
end $$;

-- Takes the demonstration's codes off sale and closes unpaid orders that reserve some. Returns the number of codes.
create or replace function demo_codes_void() returns bigint language plpgsql as $$
declare
  v_voided bigint;
begin
  perform order_close(o.id, 3, 'system') from orders o
    where o.status = {OrderStatus.Unpaid} and o.closed_at is null
      and exists (select 1 from card_codes c where c.order_id = o.id and c.demo and c.state = {CardState.Reserved});
  update card_codes set state = {CardState.Void} where demo and state = {CardState.Free};
  get diagnostics v_voided = row_count;
  return v_voided;
end $$;

create or replace function note_card_change() returns trigger language plpgsql as $$
begin
  insert into public_changes (goods_id) select goods_id from goods_specs where id = coalesce(new.spec_id, old.spec_id)
    on conflict do nothing;
  return null;
end $$;

create or replace function note_cards_added() returns trigger language plpgsql as $$
begin
  insert into public_changes (goods_id)
    select distinct s.goods_id from added join goods_specs s on s.id = added.spec_id on conflict do nothing;
  return null;
end $$;

-- The text that an order has of a specification sold many times is immutable after delivery, and no order gets more pieces than
-- it has reserved.
create or replace function shared_code_orders_guard() returns trigger language plpgsql as $$
begin
  if old.text_id is not null or new.order_id <> old.order_id or new.spec_id <> old.spec_id or new.quantity > old.quantity
      or (new.text_id is not null and new.quantity <> old.quantity) then
    raise exception 'order % has its text already, or would get more of it', old.order_id using errcode = '55000';
  end if;
  return new;
end $$;

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

-- Fewer than 20 pieces are left for others. It is PL/pgSQL, because an SQL function would be planned again for every order.
create or replace function stock_is_low(p_spec bigint, p_recharge_type integer) returns boolean language plpgsql stable as $$
begin
  if p_recharge_type = {RechargeType.CardCode} then
    return (select count(*) from (select 1 from card_codes where spec_id = p_spec and state = {CardState.Free} limit 20) free) < 20;
  end if;
  return coalesce((select stock < 20 from goods_specs where id = p_spec), false);
end $$;

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
    perform refuse_if(v_taken < p_quantity, '42220');
  elsif p_spec is not null then
    perform refuse_if(exists (select 1 from goods_specs where id = p_spec and supply_hold is not null), '42220');
    update goods_specs set stock = stock - p_quantity where id = p_spec and stock is not null and stock >= p_quantity
      returning counter into v_counter;
    if found then
      update orders set counter = v_counter where id = p_order;
    elsif exists (select 1 from goods_specs where id = p_spec and stock is not null) then
      raise exception '42220' using errcode = 'SHOPE';
    end if;
  end if;
end $$;
