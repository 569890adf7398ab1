-- As in 0043, and not of the last 180 days, as in 0042.
create or replace function audit_forget_addresses(p_before timestamptz, p_most integer default null) returns bigint
language plpgsql security definer as $$
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
do $$
begin
  execute format('alter function audit_forget_addresses set search_path = %I, pg_temp', current_schema());
end $$;
