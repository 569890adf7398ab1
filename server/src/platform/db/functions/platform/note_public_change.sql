create or replace function note_public_change() returns trigger language plpgsql as $$
begin
  insert into public_changes (goods_id) values (0) on conflict do nothing;
  return null;
end $$;
