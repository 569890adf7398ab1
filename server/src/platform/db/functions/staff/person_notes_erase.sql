-- Of a person who is erased no words stay.
create or replace function person_notes_erase() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update person_notes set note = '' where user_id = new.id;
  return null;
end $$;
