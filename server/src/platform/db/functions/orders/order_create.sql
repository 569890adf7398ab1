-- Places an order under an idempotency key. It reads every input of the price again: with other terms (p_terms is the digest of
-- order_terms), another amount than order_price returns or another discount than the caller's, it raises SHOPE 43010 and changes
-- nothing. Goods that are nearly sold out are reserved for a third of the time, and the orders of one network together may
-- reserve no more of them than one user's. Amounts are minor units. Raises SHOPE 42220, 42901, 44006 and the errors of
-- idempotency_take and order_limits. p_order has columns of orders. The statements that place and pay an order are planned once
-- per connection, by indexes. By default the planner plans the stock query again for every order, because its limit is a
-- parameter. Also, a plan that was made while a table was small scans the whole table until it is analysed, which happens rarely
-- in the embedded database, because it has no autovacuum. With enable_seqscan off, a table without a fitting index gets such a
-- high cost that PostgreSQL would compile the statement each time (jit), which takes longer than running it.
create or replace function order_create(p_route text, p_key text, p_body_hash bytea, p_user bigint, p_vip boolean, p_terms text,
  p_order jsonb, p_message text, p_request_id text)
returns idempotency_keys language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  -- Pieces that the unpaid orders of one user may reserve together, and those of one network if goods are nearly sold out.
  v_max_held constant integer := 20;
  v_expiry constant interval := '15 minutes';
  k idempotency_keys;
  n orders := jsonb_populate_record(null::orders, p_order);
  o orders;
  v_terms jsonb;
begin
  k := idempotency_take(p_user, p_route, p_key, p_body_hash);
  if k.key is not null then
    return k;
  end if;
  v_terms := order_terms(n.goods_id, n.spec_id, n.currency, p_vip, p_user);
  if md5(v_terms::text) is distinct from p_terms or not exists (
    select 1 from order_price(v_terms, n.custom_value, n.quantity) p where p.unit_price = n.unit_price and p.amount = n.original_amount
  ) then
    raise exception '43010' using errcode = 'SHOPE';
  end if;
  if n.user_coupon_id is not null and not exists (
    select 1 from priced_coupons(p_user, n.goods_id, n.original_amount, n.currency, n.user_coupon_id)
     where fault = 0 and off = n.coupon_discount
  ) then
    raise exception '43010' using errcode = 'SHOPE';
  end if;
  perform order_limits(p_user, n.goods_id, n.quantity, v_max_held);
  -- Orders of one network for one specification are placed one by one, so that the bound holds when several are placed at the
  -- same time.
  perform pg_advisory_xact_lock(hashtextextended('order ' || n.network || ' ' || n.spec_id, 3));

  insert into orders (order_no, user_id, goods_id, spec_id, custom_value, quantity, currency, unit_price,
      original_amount, coupon_discount, total_amount, user_coupon_id, recharge_type, stock_type, snapshot,
      fields_masked, fields_cipher, fields_key, network, expire_at)
    select n.order_no, p_user, g.id, n.spec_id, n.custom_value, n.quantity, n.currency, n.unit_price,
           n.original_amount, n.coupon_discount, n.total_amount, n.user_coupon_id, g.recharge_type, g.stock_type, n.snapshot,
           n.fields_masked, n.fields_cipher, n.fields_key, n.network, clock_timestamp() + v_expiry
      from goods g where g.id = n.goods_id
    returning * into o;
  if o.user_coupon_id is not null then
    update user_coupons set use_status = {CouponUseStatus.Used}, order_id = o.id
     where id = o.user_coupon_id and user_id = o.user_id and use_status = {CouponUseStatus.Unused} and end_time > clock_timestamp();
    if not found then
      raise exception '44006' using errcode = 'SHOPE';
    end if;
  end if;
  if v_terms ? 'shared' then
    perform shared_code_take(o.id, o.spec_id, o.quantity);
  else
    perform stock_take(o.id, o.spec_id, o.recharge_type, o.quantity);
  end if;
  -- 0 means that there are no codes to count: the counter holds the remaining stock.
  if stock_is_low(o.spec_id, case when v_terms ? 'shared' then 0 else o.recharge_type end) then
    if (select count(*) > 1 and sum(quantity) > v_max_held from orders where network = n.network and spec_id = o.spec_id
          and status = {OrderStatus.Unpaid} and closed_at is null and expire_at > clock_timestamp()) then
      raise exception '42901' using errcode = 'SHOPE';
    end if;
    update orders set expire_at = clock_timestamp() + v_expiry / 3
     where id = o.id returning * into o;
  end if;
  insert into order_events (order_id, kind, status, delivery_status) values (o.id, 'created', 10, 0);

  insert into idempotency_keys (user_id, route, key, body_hash, response)
    values (p_user, p_route, p_key, p_body_hash, json_build_object(
      'code', 200, 'message', p_message, 'request_id', p_request_id, 'data', json_build_object(
        'order_no', o.order_no, 'status', o.status, 'delivery_status', o.delivery_status, 'total_amount', o.total_amount,
        'currency', o.currency, 'expire_at', o.expire_at, 'server_time', clock_timestamp())))
    returning * into k;
  return k;
end $$;
