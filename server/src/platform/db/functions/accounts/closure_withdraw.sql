-- A sign-in withdraws a closure. Raises SHOPE 41001 when the account has been erased meanwhile.
create or replace function closure_withdraw(p_user bigint) returns boolean language plpgsql as $$
begin
  update users set close_requested_at = null, close_at = null, close_withdrawn_at = clock_timestamp()
    where id = p_user and close_at is not null and erased_at is null;
  if found then
    return true;
  elsif exists (select 1 from users where id = p_user and erased_at is not null) then
    raise exception '41001' using errcode = 'SHOPE';
  end if;
  return false;
end $$;
