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
