create table card_mark_keys (
  id bigint primary key check (id = 1),
  key_id text not null,
  mark_key bytea not null
);
alter table card_codes add column number_mark bytea, add column code_mark bytea;
create unique index card_codes_marks on card_codes (number_mark, code_mark);
create index card_codes_without_mark on card_codes (id) where number_mark is null;
