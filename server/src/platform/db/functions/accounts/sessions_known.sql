-- The users of several session tokens in one statement. A token that is unknown, has ended or was not used for p_idle seconds has
-- no row. `stale` means that the last recorded use is minutes old. It is planned once, by indexes.
create or replace function sessions_known(p_hashes bytea[], p_idle integer)
returns table (token_hash bytea, id bigint, is_vip boolean, is_usable smallint, stale boolean)
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  return query select s.token_hash, u.id, u.is_vip, u.is_usable, s.seen_at < clock_timestamp() - interval '5 minutes'
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = any (p_hashes) and s.expires_at > clock_timestamp()
      and s.seen_at > clock_timestamp() - make_interval(secs => p_idle);
end $$;
