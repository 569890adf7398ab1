-- Checks whether a user may order this many more pieces of the goods. From here on, orders of one user are placed one by one, so
-- that the limits hold when several are placed at the same time. v_max_unpaid limits unpaid orders; p_max_held the pieces that
-- several unpaid orders reserve together, while a single order may have as many as its goods allow; v_max_closed the orders
-- closed without payment within an hour. Raises SHOPE 43011 (too many unpaid), 42901 (too many closed), 42222 (the limit of the
-- goods).
create or replace function order_limits(p_user bigint, p_goods bigint, p_quantity integer, p_max_held integer) returns void
language plpgsql as $$
declare
  v_max_unpaid constant integer := 5;
  v_max_closed constant integer := 20;
  g record;
  v_bought bigint;
  v_open integer;
  v_held bigint;
begin
  perform 1 from users where id = p_user for no key update;
  select count(*), coalesce(sum(quantity), 0) into v_open, v_held from orders
   where user_id = p_user and status = {OrderStatus.Unpaid} and closed_at is null and hidden_at is null and expire_at > clock_timestamp();
  perform refuse_if(v_open >= v_max_unpaid or (v_open > 0 and v_held + p_quantity > p_max_held), '43011');
  perform refuse_if(exists (select 1 from rate_limits where key = 'closed:' || p_user and resets_at > clock_timestamp()
    and hits >= v_max_closed), '42901');
  select per_user, per_day into g from goods where id = p_goods;
  if g.per_user > 0 then
    select coalesce(sum(quantity - refunded_quantity), 0) into v_bought from orders
     where user_id = p_user and goods_id = p_goods and closed_at is null and status <> {OrderStatus.Refunded};
    perform refuse_if(v_bought + p_quantity > g.per_user, '42222');
  end if;
  if g.per_day > 0 then
    select coalesce(sum(quantity - refunded_quantity), 0) into v_bought from orders
     where user_id = p_user and goods_id = p_goods and closed_at is null and status <> {OrderStatus.Refunded}
       and created_at > clock_timestamp() - interval '1 day';
    perform refuse_if(v_bought + p_quantity > g.per_day, '42222');
  end if;
end $$;

-- The terms of an order of the goods, including the buyer's level if p_user names the buyer; null when the goods are not on a
-- shelf of the buyer. Without steps and levels, and for a specification that does not sell one text many times, the result equals
-- that of earlier versions, because servers of those versions compare its digest. It is one statement, planned once per
-- connection (see order_create), which reads steps and levels only if there are some.
create or replace function order_terms(p_goods bigint, p_spec bigint, p_currency text, p_vip boolean, p_user bigint default null)
returns jsonb language plpgsql stable set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  return (
    select (to_jsonb(t) - 'shared') || case when t.shared then '{"shared": true}' else '{}'::jsonb end || jsonb_strip_nulls(jsonb_build_object(
        'steps', (select jsonb_agg(jsonb_build_object('from', from_qty, 'price', x.price) order by from_qty) from price_steps x
                   where x.spec_id = t.spec_id and currency = p_currency),
        'level', (select jsonb_build_object('id', l.id, 'name', jsonb_build_object('zh-CN', l.name_zh, 'en', l.name_en), 'percent', l.percent,
                    'price', (select price from level_prices where level_id = l.id and spec_id = t.spec_id and currency = p_currency))
                    from levels l where l.id = (select shopper_level(p_user) where exists (select 1 from levels where active)))))
      from (
      select g.id, g.key, g.name_zh, g.name_en, g.image, g.recharge_type, g.spec_type, g.fields, g.need_verify_account,
             g.min_qty, g.max_qty, g.custom_min, g.custom_max, g.custom_step, g.custom_unit, s.id as spec_id,
             s.key as spec_key, s.name_zh as spec_name_zh, s.name_en as spec_name_en, s.max_qty as spec_max_qty, p.price,
             g.recharge_type = {RechargeType.CardCode} and s.shared as shared
        from goods g
        left join goods_specs s on g.spec_type = {SpecType.FaceValues} and s.goods_id = g.id and s.id = p_spec and s.active
        left join prices p on p.goods_id = g.id and p.currency = p_currency and p.spec_id is not distinct from s.id
       where g.id = p_goods and (g.status = {GoodsStatus.OnShelf} or (g.status = {GoodsStatus.VipShelf} and p_vip))
    ) t);
end $$;

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
  perform refuse_if(md5(v_terms::text) is distinct from p_terms or not exists (
    select 1 from order_price(v_terms, n.custom_value, n.quantity) p where p.unit_price = n.unit_price and p.amount = n.original_amount
  ), '43010');
  perform refuse_if(n.user_coupon_id is not null and not exists (
    select 1 from priced_coupons(p_user, n.goods_id, n.original_amount, n.currency, n.user_coupon_id)
     where fault = 0 and off = n.coupon_discount
  ), '43010');
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
    perform refuse_if(not found, '44006');
  end if;
  if v_terms ? 'shared' then
    perform shared_code_take(o.id, o.spec_id, o.quantity);
  else
    perform stock_take(o.id, o.spec_id, o.recharge_type, o.quantity);
  end if;
  -- 0 means that there are no codes to count: the counter holds the remaining stock.
  if stock_is_low(o.spec_id, case when v_terms ? 'shared' then 0 else o.recharge_type end) then
    perform refuse_if((select count(*) > 1 and sum(quantity) > v_max_held from orders where network = n.network and spec_id = o.spec_id
      and status = {OrderStatus.Unpaid} and closed_at is null and expire_at > clock_timestamp()), '42901');
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

-- 10/0 to closed. Returns false when the order was no longer open.
create or replace function order_close(p_order bigint, p_reason integer, p_actor text) returns boolean language plpgsql as $$
declare
  o orders;
begin
  update orders set closed_at = clock_timestamp(), close_reason = p_reason, fields_cipher = null
    where id = p_order and status = {OrderStatus.Unpaid} and closed_at is null returning * into o;
  if not found then
    return false;
  end if;
  perform rate_limit_hits(array['closed:' || o.user_id], 3600);
  perform stock_give_back(o.id, o.spec_id, o.recharge_type, o.quantity);
  update user_coupons set use_status = {CouponUseStatus.Unused}, order_id = null where order_id = o.id and use_status = {CouponUseStatus.Used};
  perform order_event(o.id, 'closed', p_reason::text, p_actor);
  return true;
end $$;

-- A user's order with all that its page shows, or null for another user's order. It returns one value, because describing and
-- reading thirty columns costs the server more than their content. It is PL/pgSQL, planned once and by indexes, independent of the
-- estimate of the surrounding statement.
create or replace function order_detail(p_user bigint, p_order_no text) returns json
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  return (select row_to_json(d) from (
    select o.order_no, status, delivery_status, recharge_type, currency, total_amount, quantity, created_at, expire_at, closed_at,
           close_reason, refund_state, disputed, o.id, goods_id, spec_id, custom_value, unit_price, original_amount,
           coupon_discount, snapshot, fields_masked, pay_method, paid_at, finished_at, refund_reason, refund_requested_at,
           refunded_at, refunded_amount, held_until,
           (select json_agg(json_build_object('at', e.at, 'kind', e.kind, 'note', e.note) order by e.id)
              from order_events e where e.order_id = o.id) as events,
           coalesce(nullif((select count(*) from card_codes c where c.order_id = o.id and c.state = {CardState.Sold}), 0),
             (select count(*) from shared_code_orders d
               where d.order_id = o.id and d.text_id is not null and o.refunded_quantity < o.quantity)) as cards,
           (select json_agg(json_build_object('refund_no', r.refund_no, 'amount', r.amount, 'quantity', r.quantity, 'target', r.target,
               'state', case when r.target = 'wallet' or r.amount = 0 then 'done'
                 else coalesce((select case p.state when 'failed' then 'returned' else p.state end
                   from payment_refunds p where p.refund_no = r.refund_no), 'done') end,
               'at', r.created_at) order by r.id)
              from order_refunds r where r.order_id = o.id) as refunds,
           (select p.payment_no from payments p where p.id = o.payment_id) as payment_no,
           (select json_build_object('id', c.id, 'name', json_build_object('zh-CN', c.name_zh, 'en', c.name_en))
              from user_coupons uc join coupons c on c.id = uc.coupon_id where uc.id = o.user_coupon_id) as coupon
      from orders o where o.order_no = p_order_no and o.user_id = p_user) d);
end $$;

-- Events of a user's orders that the user did not cause, in the last 90 days: of at most 200 orders, so that the cost is the same
-- for every user. A code that is delivered with its payment is on the screen already, so it counts as read, unless its order was
-- on hold.
create or replace function order_notices(p_user bigint, p_read bigint)
returns table (id bigint, order_no text, kind text, note text, at timestamptz, read boolean, snapshot jsonb, currency text)
language plpgsql stable as $$
begin
  return query
    select e.id, o.order_no, e.kind, e.note, e.at, e.id <= p_read or (o.recharge_type = {RechargeType.CardCode} and e.kind = 'delivered'
             and not exists (select 1 from order_holds h where h.order_id = o.id)), o.snapshot,
           o.currency::text
      from (select n.id, n.order_no, n.recharge_type, n.snapshot, n.currency from orders n
             where n.user_id = p_user and n.hidden_at is null order by n.id desc limit 200) o
      join lateral (
        select v.id, v.kind, v.note, v.at from order_events v
         where v.order_id = o.id and v.at > now() - interval '90 days'
           and (v.kind in ('asked', 'delivered', 'refunded', 'refunded_source', 'refunded_part', 'refunded_part_source', 'refund_refused',
                  'refund_returned', 'paid_late', 'disputed', 'dispute_won', 'dispute_lost')
             or (v.kind = 'closed' and v.note in ('1', '3')))) e on true;
end $$;
