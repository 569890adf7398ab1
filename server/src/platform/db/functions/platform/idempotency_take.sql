-- The stored call of a key, or a row of nulls when there is none yet: the caller then holds the key until its transaction ends.
-- Raises SHOPE 40901 (the call is running) and 40902 (the key belongs to another body). It is planned once per connection, by
-- indexes: see order_create.
create or replace function idempotency_take(p_user bigint, p_route text, p_key text, p_body_hash bytea) returns idempotency_keys
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
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
