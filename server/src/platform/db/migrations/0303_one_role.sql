-- Triggers make rows immutable; the servers use the role that owns the tables.
create trigger live_shop_append_only before update or delete on live_shop for each row execute function refuse_change();
create trigger person_notes_append_only before update or delete on person_notes
  for each row when (current_setting('shop.erasing', true) is distinct from 'on') execute function refuse_change();
create trigger person_notes_erasure before update or delete on person_notes
  for each row when (current_setting('shop.erasing', true) = 'on') execute function refuse_other_change('note');
create trigger release_events_append_only before update or delete on release_events
  for each row when (old.at > now() - interval '30 days') execute function refuse_change();

-- Servers of the previous version still use shop_app. Functions that ran as their owner now run as the caller.
do $$ begin
  if to_regrole('shop_app') is not null then
    execute format('grant all on all tables in schema %I to shop_app', current_schema());
  end if;
end $$;
drop function if exists grant_app_role();
drop table if exists protected_tables;

-- No entry contains an address any more.
drop index if exists audit_log_addresses;
