-- Deletes how a person who is erased was told, and what; account_erase sets the column.
create or replace function notices_erase() returns trigger language plpgsql as $$
begin
  delete from notices where user_id = new.id;
  delete from notice_settings where user_id = new.id;
  delete from push_subscriptions where user_id = new.id;
  delete from stock_wishes where user_id = new.id;
  return null;
end $$;
