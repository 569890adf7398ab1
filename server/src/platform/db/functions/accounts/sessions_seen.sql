-- Records a use. Rows are locked in one order and locked rows are skipped: of several calls and processes only one writes.
create or replace function sessions_seen(p_hashes bytea[]) returns void language sql as $$
  update sessions set seen_at = clock_timestamp() where token_hash in (
    select token_hash from sessions
     where token_hash = any (p_hashes) and seen_at < clock_timestamp() - interval '5 minutes' for update skip locked);
$$;
