-- From where: the network (as in rate_limits) and the session (the start of its token's hash) of whoever acted.
alter table audit_log add column network text, add column session text;
create index audit_log_at on audit_log (at);
-- Whether the codes of an order were shown, which the staff sees before it refunds.
create index audit_log_reveals on audit_log (subject) where action = 'cards.reveal';

-- Entries stay as they are, but for one exception: after 180 days networks and sessions are forgotten, and sign-ins altogether.
create function audit_log_guard() returns trigger language plpgsql as $$
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
drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function audit_log_guard();

-- For the job that forgets; answers how many entries it changed or deleted.
create function forget_security_events(p_before timestamptz) returns bigint language plpgsql security definer as $$
declare
  v_deleted bigint;
  v_changed bigint;
begin
  if p_before > now() - interval '180 days' then
    raise exception 'security events are kept for 180 days' using errcode = '55000';
  end if;
  delete from audit_log where at < p_before and action like 'session.%';
  get diagnostics v_deleted = row_count;
  update audit_log set network = null, session = null where at < p_before and num_nonnulls(network, session) > 0;
  get diagnostics v_changed = row_count;
  return v_deleted + v_changed;
end $$;
do $$ begin
  execute format('alter function forget_security_events(timestamptz) set search_path = %I, pg_temp', current_schema());
end $$;
