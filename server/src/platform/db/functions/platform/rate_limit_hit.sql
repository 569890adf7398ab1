-- Counts one hit and returns how many there were in the running window, this one included.
create or replace function rate_limit_hit(p_key text, p_seconds integer) returns integer language sql as $$
  insert into rate_limits as r (key, hits, resets_at)
  values (p_key, 1, clock_timestamp() + make_interval(secs => p_seconds))
  on conflict (key) do update
    set hits = case when r.resets_at <= clock_timestamp() then 1 else r.hits + 1 end,
        resets_at = case when r.resets_at <= clock_timestamp() then excluded.resets_at else r.resets_at end
  returning hits;
$$;
