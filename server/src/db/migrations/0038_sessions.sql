-- A person sees their sessions by device and time and ends them one by one; a session that nobody uses ends by itself.
alter table sessions
  add column id uuid not null default gen_random_uuid() unique,
  add column browser text not null default '',
  add column system text not null default '',
  add column seen_at timestamptz not null default now();

drop function sessions_known(bytea[]);
-- The people behind several session tokens in one statement; a token that is unknown, has ended or was not used for p_idle seconds has
-- no row. `stale` says that the last use on record is minutes old. Planned once, by indexes.
create function sessions_known(p_hashes bytea[], p_idle integer)
returns table (token_hash bytea, id bigint, is_vip boolean, is_usable smallint, stale boolean)
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query select s.token_hash, u.id, u.is_vip, u.is_usable, s.seen_at < clock_timestamp() - interval '5 minutes'
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = any (p_hashes) and s.expires_at > clock_timestamp()
      and s.seen_at > clock_timestamp() - make_interval(secs => p_idle);
end $$;

-- Records a use. Locked in one order and not waited for: of several calls and processes one writes.
create function sessions_seen(p_hashes bytea[]) returns void language sql as $$
  update sessions set seen_at = clock_timestamp() where token_hash in (
    select token_hash from sessions
     where token_hash = any (p_hashes) and seen_at < clock_timestamp() - interval '5 minutes' for update skip locked);
$$;
