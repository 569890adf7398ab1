-- Keeps the answer to a call that failed, unless another process has answered meanwhile: then that answer stands. It waits for the
-- key: PostgreSQL tells the client of an error before it lets go of the locks of what failed, so trying alone found the call
-- itself still at work, now and then.
create or replace function idempotency_keep(p_user bigint, p_route text, p_key text, p_body_hash bytea, p_answer text) returns text
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_stored text;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_user || ' ' || p_route || ' ' || p_key, 0));
  v_stored := idempotency_take(p_user, p_route, p_key, p_body_hash);
  if v_stored is null then
    insert into idempotency_keys (user_id, route, key, body_hash, answer)
      values (p_user, p_route, p_key, p_body_hash, p_answer);
  end if;
  return coalesce(v_stored, p_answer);
end $$;
