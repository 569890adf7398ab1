-- A keyed mark of a sold code's last four letters, by which staff find its order; null until the job has marked it.
alter table card_codes add column tail_mark bytea;
create index card_codes_tail on card_codes (tail_mark) where tail_mark is not null;
create index card_codes_unmarked on card_codes (id) where state = 2 and tail_mark is null;
create index users_email on users (lower(email)) where email <> '';
