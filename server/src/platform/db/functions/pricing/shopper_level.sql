-- The highest level that a shopper was given or has reached; null without one. It starts from the top, so that shoppers with the
-- highest level cost one lookup.
create or replace function shopper_level(p_user bigint) returns bigint language plpgsql stable as $$
declare
  l record;
begin
  for l in select id, period_days from levels where active order by rank desc, id desc loop
    if exists (select 1 from given_levels where user_id = p_user and level_id = l.id and (until is null or until > clock_timestamp()))
        or exists (select 1 from level_thresholds where level_id = l.id and amount <= shopper_spent(p_user, currency, l.period_days)) then
      return l.id;
    end if;
  end loop;
  return null;
end $$;
