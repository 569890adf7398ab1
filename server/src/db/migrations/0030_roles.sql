-- Two roles: whoever runs the migrations owns the tables; the servers act as shop_app, which cannot take back what has happened.
do $$ begin
  create role shop_app nologin;
exception when duplicate_object or unique_violation or insufficient_privilege then
  null; -- another database of the cluster has made it, or an administrator will (docs/operating.md)
end $$;
-- A superuser may take any role; another owner must be a member.
do $$ begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant shop_app to %I', current_user);
  end if;
exception when undefined_object or insufficient_privilege then
  null;
end $$;

-- Tables of which shop_app deletes nothing. Without may_update their rows never change either.
create table protected_tables (
  name text primary key,
  may_update boolean not null
);
insert into protected_tables (name, may_update) values
  ('audit_log', false), ('ledger_transactions', false), ('ledger_entries', false), ('order_events', false),
  ('order_refunds', false), ('provider_refunds', false), ('live_shop', false), ('release_events', false),
  ('users', true), ('wallets', true), ('orders', true), ('card_codes', true), ('recharges', true), ('payments', true),
  ('payment_refunds', true), ('payment_disputes', true), ('supplier_requests', true);

-- Gives shop_app its rights anew; called after migrations, and where a restored copy lacks them. TRUNCATE is never among them.
create function grant_app_role() returns void language plpgsql as $$
declare
  v record;
begin
  if to_regrole('shop_app') is null then
    return;
  end if;
  execute format('grant usage on schema %I to shop_app', current_schema());
  for v in
    select c.oid::regclass as name, case
        when c.relname in ('schema_migrations', 'protected_tables') then 'select'
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

-- Where there is only one role the triggers remain. A code that was sold is never deleted.
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_change();
create trigger order_events_no_truncate before truncate on order_events for each statement execute function refuse_change();
create trigger order_refunds_no_truncate before truncate on order_refunds for each statement execute function refuse_change();
create trigger provider_refunds_append_only before update or delete on provider_refunds
  for each row execute function refuse_change();
create trigger provider_refunds_no_truncate before truncate on provider_refunds
  for each statement execute function refuse_change();
create trigger card_codes_sold_stay before delete on card_codes
  for each row when (old.state in (2, 3)) execute function refuse_change();
create trigger card_codes_no_truncate before truncate on card_codes for each statement execute function refuse_change();

-- What the watcher did is kept for a month at least.
create function forget_release_events(p_before timestamptz) returns bigint language plpgsql security definer as $$
declare
  v_forgotten bigint;
begin
  if p_before > now() - interval '30 days' then
    raise exception 'release events are kept for 30 days' using errcode = '55000';
  end if;
  delete from release_events where at < p_before;
  get diagnostics v_forgotten = row_count;
  return v_forgotten;
end $$;
do $$ begin
  execute format('alter function forget_release_events(timestamptz) set search_path = %I, pg_temp', current_schema());
end $$;
