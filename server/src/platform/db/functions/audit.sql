-- Entries are immutable, with one exception: after 180 days networks and sessions are erased, and sign-ins are deleted.
create or replace function audit_log_guard() returns trigger language plpgsql as $$
begin
  if old.at < now() - interval '180 days' then
    if tg_op = 'DELETE' and old.action like 'session.%' then
      return old;
    elsif tg_op = 'UPDATE' and new.network is null and new.session is null
        and to_jsonb(new) - '{network,session}'::text[] = to_jsonb(old) - '{network,session}'::text[] then
      return new;
    end if;
  end if;
  raise exception 'audit_log is append-only' using errcode = '55000';
end $$;

-- Deletes sign-ins from before p_before, which is at least 180 days ago, and erases networks and sessions of the other entries.
-- It works in batches of p_most entries of each, so that each ends within the time limit of a statement; null means all. Returns
-- the number of changed rows.
create or replace function forget_security_events(p_before timestamptz, p_most integer default null) returns bigint language plpgsql as $$
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

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '55000';
end $$;

-- Allows updates of append-only rows only while account_erase runs, and only of the columns in the trigger's arguments.
create or replace function refuse_other_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - tg_argv = to_jsonb(old) - tg_argv then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = '55000';
end $$;
