-- Placing and paying an order return their result as data; the program makes the response of it. A stored call therefore has
-- either a response as it was sent (answer) or such a result, with the request id and the language of the first request.
alter table idempotency_keys
  alter column answer drop not null,
  add column result jsonb,
  add constraint idempotency_keys_outcome check (num_nonnulls(answer, result) = 1);

drop function order_create(text, text, bytea, jsonb, bytea, integer);
drop function order_pay(text, text, bytea, bigint, text, text, text);
drop function idempotency_keep(bigint, text, text, bytea, text);
drop function idempotency_take(bigint, text, text, bytea);
drop function wire_money(bigint);
drop function wire_time(timestamptz);

-- The stored call of a key; a row of nulls when there is none yet: the caller then holds the key until its transaction ends.
-- Raises SHOPE 40901 (the call is running) and 40902 (the key belongs to another body). The settings of this and the following
-- functions are those of 0012.
create function idempotency_take(p_user bigint, p_route text, p_key text, p_body_hash bytea) returns idempotency_keys
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
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
  return k;
end $$;

-- Stores the response to a call that failed and returns it, unless another process has stored one meanwhile: then that one. It
-- waits for the key: PostgreSQL reports an error to the client before it releases the locks of the failed statement.
create function idempotency_keep(p_user bigint, p_route text, p_key text, p_body_hash bytea, p_answer text) returns idempotency_keys
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  k idempotency_keys;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_user || ' ' || p_route || ' ' || p_key, 0));
  k := idempotency_take(p_user, p_route, p_key, p_body_hash);
  if k.key is null then
    insert into idempotency_keys (user_id, route, key, body_hash, answer)
      values (p_user, p_route, p_key, p_body_hash, p_answer) returning * into k;
  end if;
  return k;
end $$;

-- Places the order `p` under an idempotency key. Everything that `p` was computed from is read again here: with other terms or
-- another discount than the caller's it raises SHOPE 43010 and nothing is done. Amounts are minor units.
create function order_create(p_route text, p_key text, p_body_hash bytea, p jsonb, p_fields_cipher bytea, p_max_unpaid integer)
returns idempotency_keys language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_user bigint := (p ->> 'user_id')::bigint;
  v_coupon bigint := (p ->> 'user_coupon_id')::bigint;
  k idempotency_keys;
  o orders;
begin
  k := idempotency_take(v_user, p_route, p_key, p_body_hash);
  if k.key is not null then
    return k;
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
  insert into idempotency_keys (user_id, route, key, body_hash, result)
    values (v_user, p_route, p_key, p_body_hash, jsonb_build_object(
      'request_id', p ->> 'request_id', 'locale', p ->> 'locale', 'order_no', o.order_no, 'status', o.status,
      'delivery_status', o.delivery_status, 'total_amount', o.total_amount, 'currency', o.currency, 'expire_at', o.expire_at,
      'server_time', clock_timestamp()))
    returning * into k;
  return k;
end $$;

-- Pays an order from its owner's wallet under an idempotency key. Amounts are minor units.
create function order_pay(p_route text, p_key text, p_body_hash bytea, p_user bigint, p_order_no text, p_locale text, p_request_id text)
returns idempotency_keys language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  k idempotency_keys;
  o orders;
begin
  k := idempotency_take(p_user, p_route, p_key, p_body_hash);
  if k.key is not null then
    return k;
  end if;
  o := order_pay_by_balance(p_user, p_order_no);
  insert into idempotency_keys (user_id, route, key, body_hash, result)
    values (p_user, p_route, p_key, p_body_hash, jsonb_build_object(
      'request_id', p_request_id, 'locale', p_locale, 'order_no', o.order_no, 'status', o.status,
      'delivery_status', o.delivery_status,
      'balance', coalesce((select balance from wallets where user_id = p_user and currency = o.currency), 0),
      'server_time', clock_timestamp()))
    returning * into k;
  return k;
end $$;
