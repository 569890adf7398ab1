-- Placing and paying an order, each with its idempotency key, in one statement: one round trip, one transaction.

-- "12.34" of 1234 minor units.
create function wire_money(p_minor bigint) returns text language sql immutable as $$
  select (p_minor / 100)::text || '.' || lpad((p_minor % 100)::text, 2, '0');
$$;
-- ISO 8601 in UTC, in ms.
create function wire_time(p_at timestamptz) returns text language sql immutable as $$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
$$;

-- The stored answer of a key; null when there is none yet: the caller then holds the key until its transaction ends.
-- Raises SHOPE 40901 (it is being worked on) and 40902 (it belongs to another body).
create function idempotency_take(p_user bigint, p_route text, p_key text, p_body_hash bytea) returns text
language plpgsql as $$
declare
  k idempotency_keys;
begin
  if not pg_try_advisory_xact_lock(hashtextextended(p_user || ' ' || p_route || ' ' || p_key, 0)) then
    raise exception '40901' using errcode = 'SHOPE';
  end if;
  select * into k from idempotency_keys where user_id = p_user and route = p_route and key = p_key;
  if k.body_hash <> p_body_hash then
    raise exception '40902' using errcode = 'SHOPE';
  end if;
  return k.answer;
end $$;

-- Keeps the answer to a call that failed, unless another process has answered meanwhile: then that answer stands.
create function idempotency_keep(p_user bigint, p_route text, p_key text, p_body_hash bytea, p_answer text) returns text
language plpgsql as $$
declare
  v_stored text;
begin
  v_stored := idempotency_take(p_user, p_route, p_key, p_body_hash);
  if v_stored is null then
    insert into idempotency_keys (user_id, route, key, body_hash, answer)
      values (p_user, p_route, p_key, p_body_hash, p_answer);
  end if;
  return coalesce(v_stored, p_answer);
end $$;

-- What an order of the goods depends on, the buyer apart; null when they are not on a shelf of the buyer's.
create function order_terms(p_goods bigint, p_spec bigint, p_currency text, p_vip boolean) returns jsonb
language plpgsql stable as $$
begin
  return (
    select to_jsonb(t) from (
      select g.id, g.key, g.name_zh, g.name_en, g.image, g.recharge_type, g.spec_type, g.fields, g.need_verify_account,
             g.min_qty, g.max_qty, g.custom_min, g.custom_max, g.custom_step, g.custom_unit, s.id as spec_id,
             s.key as spec_key, s.name_zh as spec_name_zh, s.name_en as spec_name_en, s.max_qty as spec_max_qty, p.price
        from goods g
        left join goods_specs s on g.spec_type = 1 and s.goods_id = g.id and s.id = p_spec and s.active
        left join prices p on p.goods_id = g.id and p.currency = p_currency and p.spec_id is not distinct from s.id
       where g.id = p_goods and (g.status = 1 or (g.status = 3 and p_vip))
    ) t);
end $$;

-- Unused coupons of a person against an order, one of them alone with p_only. `off` is what one takes off if `fault` is 0;
-- else `fault` is the code that says why it can't be used.
create function priced_coupons(p_user bigint, p_goods bigint, p_amount bigint, p_currency text, p_only bigint)
returns table (user_coupon_id bigint, coupon_id bigint, off bigint, fault integer, end_time timestamptz)
language sql stable as $$
  select uc.id, c.id, coalesce(coupon_discount(c.coupon_type, a.reduce_price, c.discount_tenths, p_amount), 0),
         case when a.coupon_id is null then 44007
              when c.status <> 1 or uc.start_time > clock_timestamp() then 44003
              when c.apply_range = 20 and not exists
                (select 1 from coupon_goods cg where cg.coupon_id = c.id and cg.goods_id = p_goods) then 44005
              when p_amount < a.min_price then 44004
              else 0 end, uc.end_time
    from user_coupons uc join coupons c on c.id = uc.coupon_id
    left join coupon_amounts a on a.coupon_id = c.id and a.currency = p_currency
   where uc.user_id = p_user and uc.use_status = 1 and uc.end_time > clock_timestamp()
     and (p_only is null or uc.id = p_only);
$$;

-- Places the order `p` under an idempotency key and answers what is sent to the buyer. Everything that `p` was computed from is read
-- again here: with other terms or another discount than the caller's it raises SHOPE 43010 and nothing is done.
create function order_create(p_route text, p_key text, p_body_hash bytea, p jsonb, p_fields_cipher bytea, p_max_unpaid integer)
returns text language plpgsql as $$
declare
  v_user bigint := (p ->> 'user_id')::bigint;
  v_coupon bigint := (p ->> 'user_coupon_id')::bigint;
  v_answer text;
  o orders;
begin
  v_answer := idempotency_take(v_user, p_route, p_key, p_body_hash);
  if v_answer is not null then
    return v_answer;
  end if;
  if md5(order_terms((p ->> 'goods_id')::bigint, (p ->> 'spec_id')::bigint, p ->> 'currency', (p ->> 'vip')::boolean)::text)
      is distinct from p ->> 'terms' then
    raise exception '43010' using errcode = 'SHOPE';
  end if;
  if v_coupon is not null and not exists (
    select 1 from priced_coupons(v_user, (p ->> 'goods_id')::bigint, (p ->> 'original_amount')::bigint, p ->> 'currency', v_coupon)
     where fault = 0 and off = (p ->> 'coupon_discount')::bigint
  ) then
    raise exception '43010' using errcode = 'SHOPE';
  end if;
  o := order_place(p, p_fields_cipher, p_max_unpaid);
  v_answer := json_build_object('code', 200, 'message', p ->> 'message', 'data', json_build_object(
      'order_no', o.order_no, 'status', o.status, 'delivery_status', o.delivery_status,
      'total_amount', wire_money(o.total_amount), 'currency', o.currency, 'expire_at', wire_time(o.expire_at),
      'server_time', wire_time(clock_timestamp())), 'request_id', p ->> 'request_id');
  insert into idempotency_keys (user_id, route, key, body_hash, answer)
    values (v_user, p_route, p_key, p_body_hash, v_answer);
  return v_answer;
end $$;

-- Pays an order from its owner's wallet under an idempotency key and answers what is sent to the buyer.
create function order_pay(p_route text, p_key text, p_body_hash bytea, p_user bigint, p_order_no text, p_message text, p_request_id text)
returns text language plpgsql as $$
declare
  v_answer text;
  o orders;
begin
  v_answer := idempotency_take(p_user, p_route, p_key, p_body_hash);
  if v_answer is not null then
    return v_answer;
  end if;
  o := order_pay_by_balance(p_user, p_order_no);
  v_answer := json_build_object('code', 200, 'message', p_message, 'data', json_build_object(
      'order_no', o.order_no, 'status', o.status, 'delivery_status', o.delivery_status,
      'balance', wire_money(coalesce((select balance from wallets where user_id = p_user and currency = o.currency), 0)),
      'server_time', wire_time(clock_timestamp())), 'request_id', p_request_id);
  insert into idempotency_keys (user_id, route, key, body_hash, answer) values (p_user, p_route, p_key, p_body_hash, v_answer);
  return v_answer;
end $$;

-- As before, with card codes delivered by the same update that pays: 10/0 straight to 30/20, both events in the timeline.
create or replace function order_settle(p_order bigint, p_method text, p_payment bigint) returns void language plpgsql as $$
declare
  o orders;
  v_cards integer;
begin
  update orders set status = case recharge_type when 1 then 30 else 12 end,
      delivery_status = case recharge_type when 1 then 20 else 10 end, paid_at = clock_timestamp(),
      finished_at = case recharge_type when 1 then clock_timestamp() end, pay_method = p_method, payment_id = p_payment
    where id = p_order and status = 10 and closed_at is null returning * into o;
  if not found then
    raise exception '43020' using errcode = 'SHOPE';
  end if;
  if o.recharge_type = 1 then
    update card_codes set state = 2, sold_at = clock_timestamp() where order_id = o.id and state = 1;
    get diagnostics v_cards = row_count;
    if v_cards <> o.quantity then
      raise exception 'order % holds % of % cards', o.id, v_cards, o.quantity using errcode = '55000';
    end if;
    insert into order_events (order_id, kind, status, delivery_status, note)
      values (o.id, 'paid', 12, 10, p_method), (o.id, 'delivered', 30, 20, '');
    return;
  end if;
  insert into order_events (order_id, kind, status, delivery_status, note) values (o.id, 'paid', 12, 10, p_method);
  if o.recharge_type in (2, 3) then
    insert into supplier_requests (order_id, supplier, reference) values (o.id, o.stock_type, o.order_no);
  end if;
end $$;

-- Open orders of one person: counted when another is placed, closed when they look.
create index orders_open on orders (user_id) where status = 10 and closed_at is null;
