-- Of a person who is erased no words stay.
create or replace function person_notes_erase() returns trigger language plpgsql as $$
begin
  perform set_config('shop.erasing', 'on', true);
  update person_notes set note = '' where user_id = new.id;
  perform set_config('shop.erasing', 'off', true);
  return null;
end $$;
