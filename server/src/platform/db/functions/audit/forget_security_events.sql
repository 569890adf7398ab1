-- Deletes sign-ins from before p_before, which lies at least 180 days back, and takes networks and sessions out of the other entries. In
-- batches, so that each ends within the time limit of a statement: p_most entries of each, null for all. Returns how many it changed.
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
