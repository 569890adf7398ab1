create or replace function note_stock_change() returns trigger language plpgsql as $$
begin
  insert into public_changes (goods_id) values (new.goods_id) on conflict do nothing;
  return null;
end $$;
