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

-- The stored call of a key, or a row of nulls when there is none yet: the caller then holds the key until its transaction ends.
-- Raises SHOPE 40901 (the call is running) and 40902 (the key belongs to another body). It is planned once per connection, by
-- indexes: see order_create.
create or replace function idempotency_take(p_user bigint, p_route text, p_key text, p_body_hash bytea) returns idempotency_keys
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  k idempotency_keys;
begin
  perform refuse_if(not pg_try_advisory_xact_lock(hashtextextended(p_user || ' ' || p_route || ' ' || p_key, 0)), '40901');
  select * into k from idempotency_keys where user_id = p_user and route = p_route and key = p_key;
  perform refuse_if(k.body_hash <> p_body_hash, '40902');
  return k;
end $$;

create or replace function note_public_change() returns trigger language plpgsql as $$
begin
  insert into public_changes (goods_id) values (0) on conflict do nothing;
  return null;
end $$;

-- The changes that were committed since a snapshot. Only the newest rows can be among them, but the planner does not know this
-- and would read the whole table.
create or replace function public_changes_since(p_snapshot pg_snapshot) returns setof bigint
language plpgsql stable set enable_seqscan = off as $$
begin
  return query select goods_id from public_changes
    where xid >= pg_snapshot_xmin(p_snapshot) and not pg_visible_in_snapshot(xid, p_snapshot);
end $$;

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

-- Raises the business error p_code if the condition holds.
create or replace function refuse_if(p_condition boolean, p_code text) returns void language plpgsql as $$
begin
  if p_condition then
    raise exception '%', p_code using errcode = 'SHOPE';
  end if;
end $$;
