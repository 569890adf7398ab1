create or replace function note_card_change() returns trigger language plpgsql as $$
begin
  insert into public_changes (goods_id) select goods_id from goods_specs where id = coalesce(new.spec_id, old.spec_id)
    on conflict do nothing;
  return null;
end $$;
