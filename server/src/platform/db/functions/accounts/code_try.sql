-- One attempt at the code of a phone number or an email address (both are p_phone) for a purpose: 200, 41002 wrong, 41003 right
-- but expired, 41004 right but used, or five wrong attempts.
create or replace function code_try(p_phone text, p_purpose text, p_hash bytea) returns integer language plpgsql as $$
declare
  c verification_codes;
begin
  insert into verification_codes (phone, purpose, expires_at)
    values (p_phone, p_purpose, clock_timestamp() + interval '5 minutes')
    on conflict (phone, purpose) do update
      set code_hash = null, tries = 0, used = false, expires_at = excluded.expires_at
      where verification_codes.expires_at <= clock_timestamp() - interval '10 minutes';
  select * into c from verification_codes where phone = p_phone and purpose = p_purpose for update;
  if c.tries >= 5 then
    return 41004;
  elsif c.code_hash is distinct from p_hash then
    update verification_codes set tries = tries + 1 where phone = p_phone and purpose = p_purpose;
    return case when c.tries + 1 >= 5 then 41004 else 41002 end;
  elsif c.used then
    return 41004;
  elsif c.expires_at <= clock_timestamp() then
    return 41003;
  end if;
  update verification_codes set used = true where phone = p_phone and purpose = p_purpose;
  return 200;
end $$;
