-- Stores the response to a failed call and returns it, unless another process has stored one meanwhile, which it then returns. It
-- waits for the key, because PostgreSQL reports an error to the client before it releases the locks of the failed statement.
create or replace function idempotency_keep(p_user bigint, p_route text, p_key text, p_body_hash bytea, p_response json) returns idempotency_keys
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  k idempotency_keys;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_user || ' ' || p_route || ' ' || p_key, 0));
  k := idempotency_take(p_user, p_route, p_key, p_body_hash);
  if k.key is null then
    insert into idempotency_keys (user_id, route, key, body_hash, response)
      values (p_user, p_route, p_key, p_body_hash, p_response) returning * into k;
  end if;
  return k;
end $$;
