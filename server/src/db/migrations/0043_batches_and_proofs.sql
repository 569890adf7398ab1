-- Jobs forget in batches, each within the time limit of a statement. p_most: entries of one call; null for all.
drop function forget_security_events(timestamptz);
create function forget_security_events(p_before timestamptz, p_most integer default null) returns bigint
language plpgsql security definer as $$
declare
  v_deleted bigint;
  v_changed bigint;
begin
  if p_before > now() - interval '180 days' then
    raise exception 'security events are kept for 180 days' using errcode = '55000';
  end if;
  delete from audit_log where id = any (array(
    select id from audit_log where at < p_before and action like 'session.%' order by at limit p_most));
  get diagnostics v_deleted = row_count;
  update audit_log set network = null, session = null where id = any (array(
    select id from audit_log where at < p_before and num_nonnulls(network, session) > 0 order by at limit p_most));
  get diagnostics v_changed = row_count;
  return v_deleted + v_changed;
end $$;

drop function audit_forget_addresses(timestamptz);
create function audit_forget_addresses(p_before timestamptz, p_most integer default null) returns bigint
language plpgsql security definer as $$
declare
  v_rows bigint;
begin
  perform set_config('shop.erasing', 'on', true);
  update audit_log set detail = detail - 'address' where id = any (array(
    select id from audit_log where at < p_before and detail ? 'address' order by at limit p_most));
  get diagnostics v_rows = row_count;
  perform set_config('shop.erasing', 'off', true);
  return v_rows;
end $$;
do $$
declare
  v_function regprocedure;
begin
  foreach v_function in array array['forget_security_events', 'audit_forget_addresses']::regproc[] loop
    execute format('alter function %s set search_path = %I, pg_temp', v_function, current_schema());
  end loop;
end $$;

-- Orders whose network is to be forgotten, instead of all of an age.
create index orders_networks on orders (created_at) where network is not null;
drop index orders_age;

-- As before; a proof that was given while this waited for the lock counts, and the day begins with the first amount that is counted.
-- Its caller order_pay has set how it is planned.
create or replace function wallet_spend(p_user bigint, p_order_no text, p_session bytea, p_above jsonb) returns void
language plpgsql as $$
declare
  s record;
  o record;
  v_spent bigint;
begin
  select proved_at into s from sessions where token_hash = p_session and user_id = p_user;
  if not found then
    raise exception '401' using errcode = 'SHOPE';
  elsif s.proved_at > clock_timestamp() - interval '5 minutes' then
    return;
  end if;
  -- Payments of one session at a time, so that their sum is bounded. The order is read under the lock: another may have paid it.
  select proved_at, spent, spent_since into s from sessions where token_hash = p_session for no key update;
  if not found then
    raise exception '401' using errcode = 'SHOPE';
  elsif s.proved_at > clock_timestamp() - interval '5 minutes' then
    return;
  end if;
  select total_amount, currency into o from orders
   where order_no = p_order_no and user_id = p_user and status = 10 and closed_at is null and total_amount > 0;
  if not found then
    return;
  elsif s.proved_at is null then
    raise exception '45003' using errcode = 'SHOPE', detail = 'device';
  elsif not p_above ? o.currency then
    return;
  end if;
  if s.spent_since < clock_timestamp() - interval '1 day' or s.spent = '{}' then
    s.spent := '{}';
    s.spent_since := clock_timestamp();
  end if;
  v_spent := coalesce((s.spent ->> o.currency)::bigint, 0) + o.total_amount;
  if v_spent > (p_above ->> o.currency)::bigint then
    raise exception '45003' using errcode = 'SHOPE', detail = 'amount';
  end if;
  update sessions set spent = s.spent || jsonb_build_object(o.currency, v_spent), spent_since = s.spent_since
   where token_hash = p_session;
end $$;
