-- Deletes the favourites of a person who is erased, and the level that staff gave; account_erase sets the column.
create or replace function forget_wishes() returns trigger language plpgsql as $$
begin
  delete from favourites where user_id = new.id;
  delete from given_levels where user_id = new.id;
  return null;
end $$;
