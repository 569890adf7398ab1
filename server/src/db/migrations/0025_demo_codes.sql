-- Whether a code is one of the demonstration's; null for codes that were stored before it was noted.
alter table card_codes add column demo boolean;

-- Has its one row from the first start with real payments on: the database's codes are then sold for money, for good.
create table live_shop (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null default clock_timestamp()
);

-- As before, and: once the shop is live no code of the demonstration is taken.
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

-- Takes the demonstration's codes off sale and closes unpaid orders that hold some. Answers how many codes it were.
create function demo_codes_void() returns bigint language plpgsql as $$
declare
  v_voided bigint;
begin
  perform order_close(o.id, 3, 'system') from orders o
    where o.status = 10 and o.closed_at is null
      and exists (select 1 from card_codes c where c.order_id = o.id and c.demo and c.state = 1);
  update card_codes set state = 3 where demo and state = 0;
  get diagnostics v_voided = row_count;
  return v_voided;
end $$;
