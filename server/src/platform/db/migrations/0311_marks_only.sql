-- Codes are recognised by their marks alone. Without its marks, a code could be imported again and sold twice.
do $$ begin
  if exists (select 1 from card_codes where number_mark is null) then
    raise exception 'Some card codes have no marks: run the version before until its job mark-codes has marked them.';
  end if;
end $$;
drop index card_codes_without_mark;
alter table card_codes alter column number_mark set not null, alter column code_hash drop not null;
