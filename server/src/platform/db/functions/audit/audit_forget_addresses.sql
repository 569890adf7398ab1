-- Takes network addresses out of entries of the audit log from before p_before, which lies at least 180 days back. In batches, so that each
-- ends within the time limit of a statement: p_most entries, null for all. Returns how many it changed.
create or replace function audit_forget_addresses(p_before timestamptz, p_most integer default null) returns bigint
language plpgsql security definer set search_path from current as $$
declare
  v_rows bigint;
begin
  if p_before > now() - interval '180 days' then
    raise exception 'addresses are kept for 180 days' using errcode = '55000';
  end if;
  perform set_config('shop.erasing', 'on', true);
  update audit_log set detail = detail - 'address' where id = any (array(
    select id from audit_log where at < p_before and detail ? 'address' order by at limit p_most));
  get diagnostics v_rows = row_count;
  perform set_config('shop.erasing', 'off', true);
  return v_rows;
end $$;
