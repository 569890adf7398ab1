-- Counts one hit of each key, in the order of the keys so that two calls cannot deadlock. Returns the number of hits in the
-- current windows, including these.
create or replace function rate_limit_hits(p_keys text[], p_seconds integer) returns table (key text, hits integer) language sql as $$
  insert into rate_limits as r (key, hits, resets_at)
  select k, 1, clock_timestamp() + make_interval(secs => p_seconds) from unnest(p_keys) k order by k
  on conflict (key) do update
    set hits = case when r.resets_at <= clock_timestamp() then 1 else r.hits + 1 end,
        resets_at = case when r.resets_at <= clock_timestamp() then excluded.resets_at else r.resets_at end
  returning r.key, r.hits;
$$;
