-- Allows updates of append-only rows only while account_erase runs, and only of the columns in the trigger's arguments.
create or replace function refuse_other_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - tg_argv = to_jsonb(old) - tg_argv then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = '55000';
end $$;
