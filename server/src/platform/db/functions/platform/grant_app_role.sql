-- Gives shop_app its rights anew; called after migrations, and where a restored copy lacks them. TRUNCATE is never among them.
create or replace function grant_app_role() returns void language plpgsql as $$
declare
  v record;
begin
  if to_regrole('shop_app') is null then
    return;
  end if;
  execute format('grant usage on schema %I to shop_app', current_schema());
  for v in
    select c.oid::regclass as name, case
        when c.relname in ('schema_migrations', 'schema_functions', 'protected_tables') then 'select'
        when p.name is null then 'select, insert, update, delete'
        when p.may_update then 'select, insert, update'
        else 'select, insert' end as rights
      from pg_class c left join protected_tables p on p.name = c.relname
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')
  loop
    execute format('revoke all on %s from shop_app', v.name);
    execute format('grant %s on %s to shop_app', v.rights, v.name);
  end loop;
  for v in
    select oid::regprocedure as name from pg_proc
     where pronamespace = current_schema()::regnamespace and prosecdef and pg_has_role(proowner, 'usage')
  loop
    execute format('revoke all on function %s from public', v.name);
    execute format('grant execute on function %s to shop_app', v.name);
  end loop;
end $$;
