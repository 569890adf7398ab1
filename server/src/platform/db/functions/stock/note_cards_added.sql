create or replace function note_cards_added() returns trigger language plpgsql as $$
begin
  insert into public_changes (goods_id)
    select distinct s.goods_id from added join goods_specs s on s.id = added.spec_id on conflict do nothing;
  return null;
end $$;
