-- What staff should know about a person, for one another.
create table person_notes (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  staff_id bigint not null references staff_people (id),
  at timestamptz not null default clock_timestamp(),
  note text not null
);
create index person_notes_of on person_notes (user_id, id desc);
insert into protected_tables (name, may_update) values ('person_notes', false);

-- Of a person who is erased no words stay.
create function person_notes_erase() returns trigger language plpgsql security definer as $$
begin
  update person_notes set note = '' where user_id = new.id;
  return null;
end $$;
create trigger users_erase_person_notes after update of erased_at on users
  for each row when (old.erased_at is null and new.erased_at is not null) execute function person_notes_erase();
