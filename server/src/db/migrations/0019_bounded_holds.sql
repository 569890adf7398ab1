-- Network of the shopper, as in rate_limits; null for orders from before.
alter table orders add column network text;

-- Fewer than 20 pieces are left for others.
create function stock_is_low(p_spec bigint, p_recharge_type integer) returns boolean language sql stable as $$
  select case when p_recharge_type = 1
    then (select count(*) from (select 1 from card_codes where spec_id = p_spec and state = 0 limit 20) free) < 20
    else coalesce((select stock < 20 from goods_specs where id = p_spec), false) end;
$$;

-- Places an order whose price the caller has just read in this transaction. Orders of one user are placed one by one,
-- so that the limits hold under concurrency. Goods that are nearly sold out are held for a third of the time, and no more of them
-- by one network than by one person. Raises SHOPE 42220, 42222, 42901, 43011, 44006.
create or replace function order_place(p jsonb, p_fields_cipher bytea, p_max_unpaid integer) returns orders language plpgsql as $$
declare
  o orders;
  g goods;
  v_bought bigint;
  v_open integer;
  v_held bigint;
begin
  perform 1 from users where id = (p ->> 'user_id')::bigint for no key update;
  select count(*), coalesce(sum(quantity), 0) into v_open, v_held from orders
   where user_id = (p ->> 'user_id')::bigint and status = 10 and closed_at is null
     and hidden_at is null and expire_at > clock_timestamp();
  if v_open >= p_max_unpaid or v_held + (p ->> 'quantity')::integer > (p ->> 'max_held')::integer then
    raise exception '43011' using errcode = 'SHOPE';
  end if;
  if exists (select 1 from rate_limits where key = 'closed:' || (p ->> 'user_id') and resets_at > clock_timestamp()
      and hits >= (p ->> 'max_closed')::integer) then
    raise exception '42901' using errcode = 'SHOPE';
  end if;
  select * into g from goods where id = (p ->> 'goods_id')::bigint;
  if g.per_user > 0 then
    select coalesce(sum(quantity), 0) into v_bought from orders
     where user_id = (p ->> 'user_id')::bigint and goods_id = g.id and closed_at is null and status <> 60;
    if v_bought + (p ->> 'quantity')::integer > g.per_user then
      raise exception '42222' using errcode = 'SHOPE';
    end if;
  end if;
  if g.per_day > 0 then
    select coalesce(sum(quantity), 0) into v_bought from orders
     where user_id = (p ->> 'user_id')::bigint and goods_id = g.id and closed_at is null and status <> 60
       and created_at > clock_timestamp() - interval '1 day';
    if v_bought + (p ->> 'quantity')::integer > g.per_day then
      raise exception '42222' using errcode = 'SHOPE';
    end if;
  end if;
  insert into orders (order_no, user_id, goods_id, spec_id, custom_value, quantity, currency, unit_price,
      original_amount, coupon_discount, total_amount, user_coupon_id, recharge_type, stock_type, snapshot,
      fields_masked, fields_cipher, fields_key, network, expire_at)
    values (p ->> 'order_no', (p ->> 'user_id')::bigint, g.id, (p ->> 'spec_id')::bigint,
      (p ->> 'custom_value')::bigint, (p ->> 'quantity')::integer, p ->> 'currency', (p ->> 'unit_price')::bigint,
      (p ->> 'original_amount')::bigint, (p ->> 'coupon_discount')::bigint, (p ->> 'total_amount')::bigint,
      (p ->> 'user_coupon_id')::bigint, g.recharge_type, g.stock_type, p -> 'snapshot', p -> 'fields_masked',
      p_fields_cipher, p ->> 'fields_key', p ->> 'network', clock_timestamp() + make_interval(secs => (p ->> 'expire_seconds')::integer))
    returning * into o;
  if o.user_coupon_id is not null then
    update user_coupons set use_status = 2, order_id = o.id
     where id = o.user_coupon_id and user_id = o.user_id and use_status = 1 and end_time > clock_timestamp();
    if not found then
      raise exception '44006' using errcode = 'SHOPE';
    end if;
  end if;
  perform stock_take(o.id, o.spec_id, o.recharge_type, o.quantity);
  if stock_is_low(o.spec_id, o.recharge_type) then
    if (select sum(quantity) from orders where network = p ->> 'network' and spec_id = o.spec_id and status = 10
          and closed_at is null and expire_at > clock_timestamp()) > (p ->> 'max_held')::integer then
      raise exception '42901' using errcode = 'SHOPE';
    end if;
    update orders set expire_at = clock_timestamp() + make_interval(secs => (p ->> 'expire_seconds')::integer / 3)
     where id = o.id returning * into o;
  end if;
  insert into order_events (order_id, kind, status, delivery_status) values (o.id, 'created', 10, 0);
  return o;
end $$;

-- 10/0 to closed. Answers false when the order was no longer open.
create or replace function order_close(p_order bigint, p_reason integer, p_actor text) returns boolean language plpgsql as $$
declare
  o orders;
begin
  update orders set closed_at = clock_timestamp(), close_reason = p_reason, fields_cipher = null
    where id = p_order and status = 10 and closed_at is null returning * into o;
  if not found then
    return false;
  end if;
  perform rate_limit_hit('closed:' || o.user_id, 3600);
  perform stock_give_back(o.id, o.spec_id, o.recharge_type, o.quantity);
  update user_coupons set use_status = 1, order_id = null where order_id = o.id and use_status = 2;
  insert into order_events (order_id, kind, status, delivery_status, note, actor)
    values (o.id, 'closed', 10, 0, p_reason::text, p_actor);
  return true;
end $$;
