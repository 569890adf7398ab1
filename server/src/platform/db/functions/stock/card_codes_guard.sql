-- A sold or voided code never goes back on sale and never changes its order. Once the shop is live, no code of the demonstration
-- can be sold.
create or replace function card_codes_guard() returns trigger language plpgsql as $$
begin
  if old.state = {CardState.Sold} and (new.state not in ({CardState.Sold}, {CardState.Void}) or new.order_id is distinct from old.order_id) then
    raise exception 'card code % is sold', old.id using errcode = '55000';
  elsif old.state = {CardState.Void} and new.state <> {CardState.Void} then
    raise exception 'card code % is voided', old.id using errcode = '55000';
  elsif new.demo and old.state = {CardState.Free} and new.state in ({CardState.Reserved}, {CardState.Sold}) and exists (select 1 from live_shop) then
    raise exception '42220' using errcode = 'SHOPE';
  end if;
  return new;
end $$;
