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
