-- What was changed of what every visitor sees. Written by triggers in the transaction of the change itself, so whoever sees the
-- change sees the row too; a server compares it with the snapshot that its answers in memory stem from (app/public-answers.ts).
-- Rows are added only, so two orders never wait for each other here. goods_id: the stock of these goods, or 0 for anything else.
create table public_changes (
  xid xid8 not null default pg_current_xact_id(),
  goods_id bigint not null,
  at timestamptz not null default clock_timestamp(),
  primary key (xid, goods_id)
);

-- What was committed since a snapshot. Only the newest rows can be; the planner cannot know that, and would read them all.
create function public_changes_since(p_snapshot pg_snapshot) returns setof bigint
language plpgsql stable set enable_seqscan = off as $$
begin
  return query select goods_id from public_changes
    where xid >= pg_snapshot_xmin(p_snapshot) and not pg_visible_in_snapshot(xid, p_snapshot);
end $$;

create function note_public_change() returns trigger language plpgsql as $$
begin
  insert into public_changes (goods_id) values (0) on conflict do nothing;
  return null;
end $$;
do $$
declare
  v_table text;
begin
  foreach v_table in array array['categories', 'goods', 'prices', 'swipers', 'custom_modules', 'custom_module_items',
      'hot_words', 'articles', 'app_config'] loop
    execute format('create trigger public_change after insert or update or delete or truncate on %I
      for each statement execute function note_public_change()', v_table);
  end loop;
end $$;
create trigger public_change
  after insert or delete or truncate
     or update of goods_id, key, name_zh, name_en, face_value, max_qty, active, sort on goods_specs
  for each statement execute function note_public_change();

-- What a visitor is told of a stock: 0 out, 1 in, 2 low. Null is without a limit.
create function stock_mark(p_left bigint) returns integer language sql immutable as $$
  select case when p_left is null or p_left > 10 then 1 when p_left > 0 then 2 else 0 end;
$$;
-- PL/pgSQL, because a function in SQL that cannot be inlined is planned anew by every statement that calls it.
create function spec_stock_mark(p_recharge_type integer, p_spec bigint, p_stock bigint) returns integer
language plpgsql stable as $$
begin
  if p_recharge_type <> 1 then
    return stock_mark(p_stock);
  end if;
  return stock_mark((select count(*) from (
    select 1 from card_codes c where c.spec_id = p_spec and c.state = 0
       and (c.expire_at is null or c.expire_at > clock_timestamp()) limit 11) free));
end $$;

create function note_stock_change() returns trigger language plpgsql as $$
begin
  insert into public_changes (goods_id) values (new.goods_id) on conflict do nothing;
  return null;
end $$;
-- A counter is locked by whoever changes it, so a row's own change tells whether its mark turned.
create trigger stock_change after update of stock on goods_specs
  for each row when (stock_mark(old.stock) <> stock_mark(new.stock)) execute function note_stock_change();

-- Codes are taken side by side: no buyer sees what the others take at that moment, so every change of the free ones is noted.
create function note_card_change() returns trigger language plpgsql as $$
begin
  insert into public_changes (goods_id) select goods_id from goods_specs where id = coalesce(new.spec_id, old.spec_id)
    on conflict do nothing;
  return null;
end $$;
create function note_cards_added() returns trigger language plpgsql as $$
begin
  insert into public_changes (goods_id)
    select distinct s.goods_id from added join goods_specs s on s.id = added.spec_id on conflict do nothing;
  return null;
end $$;
create trigger card_change after update of state on card_codes
  for each row when ((old.state = 0) <> (new.state = 0)) execute function note_card_change();
create trigger card_removed after delete on card_codes
  for each row when (old.state = 0) execute function note_card_change();
create trigger cards_added after insert on card_codes referencing new table as added
  for each statement execute function note_cards_added();
create trigger public_change after truncate or update of spec_id, expire_at on card_codes
  for each statement execute function note_public_change();
create index card_codes_expiry on card_codes (expire_at) where state = 0 and expire_at is not null;
