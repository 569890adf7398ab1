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
