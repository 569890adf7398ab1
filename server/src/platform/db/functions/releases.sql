-- Deletes events from before p_before, which is at least 30 days ago. Returns the number of deleted rows.
create or replace function forget_release_events(p_before timestamptz) returns bigint language plpgsql as $$
declare
  v_forgotten bigint;
begin
  if p_before > now() - interval '30 days' then
    raise exception 'release events are kept for 30 days' using errcode = '55000';
  end if;
  delete from release_events where at < p_before;
  get diagnostics v_forgotten = row_count;
  return v_forgotten;
end $$;
