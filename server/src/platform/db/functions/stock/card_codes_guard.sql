-- A sold or voided code never goes back on sale and never changes its order. Once the shop is live no code of the demonstration is taken.
create or replace function card_codes_guard() returns trigger language plpgsql as $$
begin
  if old.state = 2 and (new.state not in (2, 3) or new.order_id is distinct from old.order_id) then
    raise exception 'card code % is sold', old.id using errcode = '55000';
  elsif old.state = 3 and new.state <> 3 then
    raise exception 'card code % is voided', old.id using errcode = '55000';
  elsif new.demo and old.state = 0 and new.state in (1, 2) and exists (select 1 from live_shop) then
    raise exception '42220' using errcode = 'SHOPE';
  end if;
  return new;
end $$;
