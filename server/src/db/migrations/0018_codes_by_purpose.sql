-- A code is for one purpose. A row without a hash counts wrong tries at a phone that has no code, so that both get the same answers.
delete from verification_codes;
alter table verification_codes drop constraint verification_codes_pkey;
alter table verification_codes add column purpose text not null;
alter table verification_codes alter column code_hash drop not null;
alter table verification_codes add primary key (phone, purpose);
create index verification_codes_expiry on verification_codes (expires_at);
alter table code_sends add column purpose text not null default 'login';

-- One try at the code of a phone for a purpose: 200, 41002 wrong, 41003 right but expired, 41004 right but used, or five wrong tries.
drop function code_try(text, bytea);
create function code_try(p_phone text, p_purpose text, p_hash bytea) returns integer language plpgsql as $$
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

-- Counts a hit on each of several keys, in the order of the keys so that two calls cannot deadlock.
create function rate_limit_hits(p_keys text[], p_seconds integer) returns table (key text, hits integer) language sql as $$
  insert into rate_limits as r (key, hits, resets_at)
  select k, 1, clock_timestamp() + make_interval(secs => p_seconds) from unnest(p_keys) k order by k
  on conflict (key) do update
    set hits = case when r.resets_at <= clock_timestamp() then 1 else r.hits + 1 end,
        resets_at = case when r.resets_at <= clock_timestamp() then excluded.resets_at else r.resets_at end
  returning r.key, r.hits;
$$;

-- Known addresses are networks now.
update known_addresses set address = address || '/32' where address ~ '^[0-9]+(\.[0-9]+){3}$';
