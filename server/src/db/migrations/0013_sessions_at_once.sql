-- The people behind several session tokens in one statement; a token that is unknown or has ended has no row. Planned once, by indexes.
create function sessions_known(p_hashes bytea[])
returns table (token_hash bytea, id bigint, is_vip boolean, is_usable smallint)
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query select s.token_hash, u.id, u.is_vip, u.is_usable from sessions s join users u on u.id = s.user_id
    where s.token_hash = any (p_hashes) and s.expires_at > clock_timestamp();
end $$;
